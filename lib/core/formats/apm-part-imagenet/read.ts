import { partImageNet } from '@/lib/core/schema/presets';
import { decodeTiff } from '../codecs/tiff';
import type { ObjectLabel } from '../dataset';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import type { Notes } from '../general/notes';
import { readText } from '../general/tree';
import { masksOfMap } from '../tessera/layers';
import { bareImage, imported, pathSet, sourceOf } from '../tessera/source';
import { LIST } from './paths';

const partOf = new Map(partImageNet.parts.map((part) => [part.codes?.mask as number, part]));
const known = new Set(partImageNet.classes.map(({ id }) => id));

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const lists = listsOf(tree);
  const [first] = lists;
  if (!first) return null;
  return {
    certainty: 0.97,
    because: `${first.path} and ${lists.length - 1} more lists name the images of a class, as the part-model code reads them`,
  };
}

function listsOf(tree: SourceTree) {
  const lists = tree.paths.flatMap((path) => {
    const found = LIST.exec(path);
    const [, kind = '', split = '', className = ''] = found ?? [];
    return found && known.has(className) ? [{ path, kind, split, className }] : [];
  });
  // Masks as drawn are worth more than their boxes.
  const kind = lists.some((list) => list.kind === 'PartSegmentations')
    ? 'PartSegmentations'
    : 'BoxSegmentations';
  return lists.filter((list) => list.kind === kind);
}

export async function read(tree: SourceTree): Promise<Source> {
  const paths = pathSet(tree);
  const entries: Entry[] = [];
  for (const { path, kind, split, className } of listsOf(tree)) {
    const root = path.slice(0, path.lastIndexOf(kind));
    for (const line of (await readText(tree, path)).split('\n')) {
      const [folder, stem] = line.trim().split('/');
      if (!folder || !stem) continue;
      entries.push({
        picture: `${root}JPEGImages/${folder}/${stem}.JPEG`,
        mask: `${path.slice(0, -'.txt'.length)}/${stem}.tif`,
        wnid: /^n\d{8}$/.test(folder) ? folder : null,
        split,
        className,
      });
    }
  }
  return sourceOf(
    partImageNet,
    entries,
    ({ picture }) => picture,
    (entry, notes) => readImage(tree, paths, entry, notes),
  );
}

interface Entry {
  picture: string;
  mask: string;
  wnid: string | null;
  split: string;
  className: string;
}

async function readImage(
  tree: SourceTree,
  paths: ReadonlySet<string>,
  { picture, mask, wnid, split, className }: Entry,
  notes: Notes,
): Promise<SourceImage | null> {
  if (!paths.has(picture)) {
    notes.add('pictures that a list names are not there and were left out', picture);
    return null;
  }
  const image = { ...bareImage(tree, picture, split), className, wnid };
  if (!paths.has(mask)) {
    notes.add('images have no mask file and keep their class only', mask);
    return { ...image, hasMasks: false };
  }
  const { width, height, pixels } = await decodeTiff(await tree.bytes(mask));
  if (pixels.every((value) => value === -1)) return { ...image, width, height, hasMasks: false };
  const objects = new Map<string, ObjectLabel>([[className, emptyObject(className, 1)]]);
  for (const [id, part] of masksOfMap(pixels, width, height)) {
    const entry = partOf.get(id);
    const owner = entry?.classes[0];
    if (!entry || !owner) {
      notes.add(`pixels of id ${id}, which is no part, were left out`, mask);
      continue;
    }
    const object = objects.get(owner) ?? emptyObject(owner, objects.size + 1);
    objects.set(owner, object);
    object.parts.push({ ...imported, id: entry.id, mask: part });
  }
  return { ...image, width, height, objects: [...objects.values()] };
}

const emptyObject = (className: string, instance: number): ObjectLabel => ({
  className,
  instance,
  outline: null,
  parts: [],
  absent: [],
});
