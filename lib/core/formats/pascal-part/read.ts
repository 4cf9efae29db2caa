import { fromColumnBitmap, type Mask } from '@/lib/core/mask';
import { pascalPart } from '@/lib/core/schema/presets';
import { decodeMat, type MatValue } from '../codecs/mat5';
import type { MaskLabel, ObjectLabel } from '../dataset';
import type { Detection, Source, SourceTree } from '../format';
import { mergedById } from '../general/merged-by-id';
import type { Notes } from '../general/notes';
import { splitFrom } from '../general/split-name';
import { baseName, PicturePaths, readText } from '../general/tree';
import { largestFirst } from '../tessera/layers';
import { bareImage, imported, sourceOf } from '../tessera/source';
import { partIdOf } from './tokens';

const ANNOTATION = /(?:^|\/)Annotations_Part\/([^/]+)\.mat$/;
const LIST = /(?:^|\/)ImageSets\/[^/]+\/(train|val|test)\.txt$/;
const known = new Set(pascalPart.classes.map(({ id }) => id));

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const files = tree.paths.filter((path) => ANNOTATION.test(path));
  const [first] = files;
  if (!first) return null;
  return { certainty: 0.97, because: `${files.length} MATLAB files such as ${first}, as in PASCAL-Part` };
}

export async function read(tree: SourceTree): Promise<Source> {
  const pictures = new PicturePaths(tree);
  const splits = await splitsOf(tree);
  return sourceOf(
    pascalPart,
    tree.paths.filter((path) => ANNOTATION.test(path)),
    (path) => path,
    async (path, notes) => {
      const stem = ANNOTATION.exec(path)?.[1] ?? '';
      const picture = pictures.find(`${stem}.jpg`) ?? pictures.find(`${stem}.png`);
      if (!picture) {
        notes.add('annotations without a picture were left out', path);
        return null;
      }
      const objects = objectsOf((await decodeMat(await tree.bytes(path))).get('anno'), path, notes);
      const first = objects[0]?.outline?.mask;
      return {
        ...bareImage(tree, picture, splits.get(stem) ?? null),
        width: first?.width ?? null,
        height: first?.height ?? null,
        className: largestFirst(objects)[0]?.className ?? null,
        objects,
      };
    },
  );
}

async function splitsOf(tree: SourceTree): Promise<Map<string, string>> {
  const splits = new Map<string, string>();
  for (const path of tree.paths.filter((each) => LIST.test(each)))
    for (const line of (await readText(tree, path)).split('\n')) {
      const stem = line.trim().split(/\s+/)[0];
      if (stem) splits.set(stem, splitFrom(baseName(path)) ?? baseName(path).replace('.txt', ''));
    }
  return splits;
}

const rows = (value: MatValue | undefined) => (value?.kind === 'struct' ? value.items : []);
const textOf = (value: MatValue | undefined) => (value?.kind === 'text' ? value.text : '');

function maskOf(value: MatValue | undefined): Mask | null {
  if (value?.kind !== 'matrix' || value.rows < 1 || value.columns < 1) return null;
  const mask = fromColumnBitmap(value.values, value.rows, value.columns);
  return mask.toggles.length > 1 ? mask : null;
}

function objectsOf(anno: MatValue | undefined, path: string, notes: Notes): ObjectLabel[] {
  return rows(rows(anno)[0]?.objects).flatMap((entry, index) => {
    const className = textOf(entry.class);
    const mask = maskOf(entry.mask);
    if (!known.has(className) || !mask) {
      notes.add('objects without mask, or of a class that is none of the twenty, were left out', path);
      return [];
    }
    const parts = rows(entry.parts).flatMap((part): MaskLabel[] => {
      const name = textOf(part.part_name);
      const id = partIdOf(className, name);
      const own = maskOf(part.mask);
      if (id && own && own.width === mask.width && own.height === mask.height)
        return [{ ...imported, id, mask: own }];
      notes.add(`parts "${name.slice(0, 40)}" of ${className} were left out`, path);
      return [];
    });
    return [
      {
        className,
        instance: index + 1,
        outline: { ...imported, mask },
        parts: mergedById(parts),
        absent: [],
      },
    ];
  });
}
