import { pascalPartGrouped } from '@/lib/core/schema/presets';
import { decodeTiff } from '../codecs/tiff';
import type { ObjectLabel } from '../dataset';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import type { Notes } from '../general/notes';
import { masksOfMap } from '../tessera/layers';
import { bareImage, imported, pathSet, sourceOf } from '../tessera/source';
import { PICTURE } from './paths';

const partOf = new Map(pascalPartGrouped.parts.map((part) => [part.codes?.mask as number, part]));

const maskOf = (picture: string) =>
  picture.replace(/(^|\/)images\/([^/]+\/[^/]+\/[^/]+)\.(?:jpg|png)$/, '$1panoptic-parts/$2.tif');

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const paths = pathSet(tree);
  const pictures = tree.paths.filter((path) => PICTURE.test(path));
  const first = pictures.find((path) => paths.has(maskOf(path)));
  if (!first) return null;
  return {
    certainty: 0.95,
    because: `${pictures.length} pictures lie in folders of PASCAL classes, with masks such as ${maskOf(first)} beside them`,
  };
}

export async function read(tree: SourceTree): Promise<Source> {
  const paths = pathSet(tree);
  return sourceOf(
    pascalPartGrouped,
    tree.paths.filter((path) => PICTURE.test(path)),
    (path) => path,
    (path, notes) => readImage(tree, paths, path, notes),
  );
}

async function readImage(
  tree: SourceTree,
  paths: ReadonlySet<string>,
  path: string,
  notes: Notes,
): Promise<SourceImage> {
  const [, split = '', className = ''] = PICTURE.exec(path) ?? [];
  const image = { ...bareImage(tree, path, split), className };
  if (!paths.has(maskOf(path))) {
    notes.add('images have no mask file and keep their class only', path);
    return { ...image, hasMasks: false };
  }
  const { width, height, pixels } = await decodeTiff(await tree.bytes(maskOf(path)));
  if (pixels.every((value) => value === -1)) return { ...image, width, height, hasMasks: false };
  const objects = new Map<string, ObjectLabel>();
  const objectOf = (name: string): ObjectLabel => {
    const known = objects.get(name);
    if (known) return known;
    const made = { className: name, instance: objects.size + 1, outline: null, parts: [], absent: [] };
    objects.set(name, made);
    return made;
  };
  objectOf(className);
  for (const [id, mask] of masksOfMap(pixels, width, height)) {
    const part = partOf.get(id);
    if (part) objectOf(part.classes[0] as string).parts.push({ ...imported, id: part.id, mask });
    else notes.add(`pixels of id ${id}, which is no part, were left out`, maskOf(path));
  }
  return { ...image, width, height, objects: [...objects.values()] };
}
