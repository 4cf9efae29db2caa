import { difference, intersection, intersectionArea, isEmpty, type Mask } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import { asCoco, keyOf } from '../coco/read';
import { decodePng } from '../codecs/png';
import type { MaskLabel, ObjectLabel } from '../dataset';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { importProvenance, mergeById } from '../shared/annotations';
import { sortLargestFirst, splitLabelMap } from '../shared/part-layers';
import { inferPairSchema, type PairVocabulary, pairVocabulary } from '../shared/part-pairs';
import {
  asRecords,
  baseName,
  createSource,
  emptyImage,
  findPaths,
  folderOf,
  isRecord,
  type Notes,
  pathSet,
  readJson,
} from '../shared/read-tree';
import { parseSegmentation } from '../shared/segmentation';
import { readSchemaFile } from '../shared/vocabulary';
import type { Layout } from './layout';
import { benchmarkParts } from './taxonomy';

const PICTURE = /^(.*\/)?images\/([^/]+)\/([^/]+)\.jpg$/;
type Kind = 'obj' | 'part';

function mapPath(picture: string, kind: Kind): string {
  const [, root = '', folder = '', stem = ''] = PICTURE.exec(picture) ?? [];
  return `${root}annotations_detectron2_${kind}/${folder}/${stem}.png`;
}

const INSTANCES = /(^|\/)ade20k_instance_[^/]+\.json$/;

function picturesOf(tree: SourceTree, layout: Layout): string[] {
  const isOther = tree.paths.some((path) => INSTANCES.test(path)) !== layout.hasInstances;
  if (isOther) return [];
  const paths = pathSet(tree);
  return tree.paths.filter((path) => PICTURE.test(path) && paths.has(mapPath(path, 'part')));
}

export const detectLayout =
  (layout: Layout) =>
  async (tree: SourceTree): Promise<Detection | null> => {
    const pictures = picturesOf(tree, layout);
    const [first] = pictures;
    if (!first) return null;
    return {
      certainty: 0.96,
      because: `${pictures.length} pictures have a map of parts such as ${mapPath(first, 'part')}, as in OV-PARTS`,
    };
  };

interface Numbers {
  vocabulary: PairVocabulary;
  classes: readonly string[];
  parts: readonly { className: string; name: string }[];
}

/** Our `classes.json` says what the numbers mean. Without it, they are those of the benchmark. */
async function readNumbers(tree: SourceTree, layout: Layout): Promise<Numbers> {
  const [path] = findPaths(tree, /(^|\/)classes\.json$/);
  const given = path === undefined ? null : await readJson(tree, path).catch(() => null);
  const names = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
  const isOwn = isRecord(given) && names(given.classes).length > 0;
  const classes = isOwn ? names(given.classes) : layout.benchmark.classes;
  const parts = isOwn ? names(given.parts).map(parsePart) : benchmarkParts(layout.benchmark);
  const schema = isRecord(given) && given.benchmark === false ? await readSchemaFile(tree) : null;
  const vocabulary = schema
    ? pairVocabulary(schema)
    : inferPairSchema(
        'OV-PARTS',
        classes.map((name) => ({ name })),
        parts,
      );
  return { vocabulary, classes, parts };
}

function parsePart(text: string): { className: string; name: string } {
  const at = text.indexOf("'s ");
  return { className: text.slice(0, Math.max(0, at)), name: text.slice(at + 3) };
}

export const readLayout =
  (layout: Layout) =>
  async (tree: SourceTree): Promise<Source> => {
    const numbers = await readNumbers(tree, layout);
    const instances = layout.hasInstances ? await readInstances(tree) : null;
    return createSource(
      numbers.vocabulary.schema,
      picturesOf(tree, layout),
      (path) => path,
      (path, notes) => readImage({ tree, layout, numbers, instances, notes }, path),
    );
  };

interface Reading {
  tree: SourceTree;
  layout: Layout;
  numbers: Numbers;
  instances: ReadonlyMap<string, Record<string, unknown>[]> | null;
  notes: Notes;
}

/** Annotations by picture. */
async function readInstances(tree: SourceTree) {
  const found = new Map<string, Record<string, unknown>[]>();
  for (const path of findPaths(tree, INSTANCES)) {
    const document = asCoco(await readJson(tree, path));
    if (!document) continue;
    const byImage = groupBy(asRecords(document.annotations), ({ image_id }) => keyOf(image_id));
    for (const { id, file_name } of document.images)
      if (typeof file_name === 'string') found.set(baseName(file_name), byImage.get(keyOf(id)) ?? []);
  }
  return found;
}

async function readMap(tree: SourceTree, path: string, ignore: number) {
  const { width, height, channels, pixels } = await decodePng(await tree.bytes(path));
  if (channels !== 1) throw new Error(`${path} has colours where numbers are expected`);
  return { width, height, masks: splitLabelMap(pixels, width, height, ignore) };
}

async function readImage(reading: Reading, path: string): Promise<SourceImage> {
  const { tree, layout, numbers, notes } = reading;
  const folder = baseName(folderOf(path));
  const { width, height, masks } = await readMap(tree, mapPath(path, 'part'), layout.ignore);
  const objects = layout.hasInstances
    ? instanceObjects(reading, path, { width, height })
    : await classObjects(reading, path);
  for (const [value, mask] of masks) {
    const part = numbers.parts[value];
    const className = part && numbers.vocabulary.classId(part.className);
    const id = part && numbers.vocabulary.partId(part);
    if (className === undefined || id === undefined) {
      notes.add(`pixels of number ${value}, which is no part, were left out`, path);
      continue;
    }
    addPart(objects, className, { ...importProvenance, id, mask });
  }
  const sorted = sortLargestFirst(objects.map((each) => ({ ...each, parts: mergeById(each.parts) })));
  return {
    ...emptyImage(tree, path, layout.splitOf(folder)),
    width,
    height,
    className: sorted[0]?.className ?? null,
    objects: sorted,
  };
}

/** The pixels of a part belong to the objects of its class on which they lie, the rest to the first of them. */
function addPart(objects: ObjectLabel[], className: string, part: MaskLabel): void {
  const own = objects.filter((object) => object.className === className);
  if (own.length === 0) {
    objects.push({ className, instance: objects.length + 1, outline: null, parts: [part], absent: [] });
    return;
  }
  const covering = own.filter(({ outline }) => outline && intersectionArea(outline.mask, part.mask) > 0);
  if (covering.length <= 1) {
    (covering[0] ?? (own[0] as ObjectLabel)).parts.push(part);
    return;
  }
  let left = part.mask;
  for (const object of covering) {
    const mask = intersection(left, object.outline?.mask as Mask);
    if (isEmpty(mask)) continue;
    object.parts.push({ ...part, mask });
    left = difference(left, mask);
  }
  if (!isEmpty(left)) covering[0]?.parts.push({ ...part, mask: left });
}

async function classObjects({ tree, layout, numbers, notes }: Reading, path: string): Promise<ObjectLabel[]> {
  const map = mapPath(path, 'obj');
  if (!pathSet(tree).has(map)) return [];
  const { masks } = await readMap(tree, map, layout.ignore);
  return [...masks].flatMap(([value, mask], index): ObjectLabel[] => {
    const className = numbers.vocabulary.classId(numbers.classes[value] ?? '');
    if (className === undefined) {
      notes.add(`pixels of number ${value}, which is no class, were left out`, map);
      return [];
    }
    const outline = { ...importProvenance, mask };
    return [{ className, instance: index + 1, outline, parts: [], absent: [] }];
  });
}

function instanceObjects(
  { instances, numbers, notes }: Reading,
  path: string,
  size: { width: number; height: number },
): ObjectLabel[] {
  return (instances?.get(baseName(path)) ?? []).flatMap((row, index): ObjectLabel[] => {
    const className = numbers.vocabulary.classId(numbers.classes[Number(row.category_id)] ?? '');
    if (className === undefined) {
      notes.add('objects of a class without a number were left out', path);
      return [];
    }
    const mask = parseSegmentation(row.segmentation, size);
    const outline = { ...importProvenance, mask, ...(row.iscrowd === 1 && { flags: ['crowd'] as const }) };
    return [{ className, instance: index + 1, outline, parts: [], absent: [] }];
  });
}
