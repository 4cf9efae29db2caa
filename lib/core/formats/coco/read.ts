import { formatCount } from '@/lib/core/format';
import type { Mask } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import { labelFlags } from '@/lib/core/schema/types';
import type { Detection, SourceTree } from '../format';
import { readMapped } from '../mapping/open-source';
import { parseFacts } from '../shared/image-record';
import {
  fieldsOf,
  lostAnnotations,
  type RawAnnotation,
  type RawCategory,
  type RawImage,
  type RawSource,
  Unreadable,
  unreadable,
} from '../shared/raw-source';
import {
  asRecords,
  baseName,
  findPaths,
  isRecord,
  Notes,
  PicturePaths,
  parseSplit,
  readJson,
  readText,
  tryJson,
} from '../shared/read-tree';
import { describeMaskError, type PictureSize, parseSegmentation, parseSize } from '../shared/segmentation';
import { readKnown } from '../shared/vocabulary';
import { splitOfPath } from './write';

type Row = Record<string, unknown>;
export interface CocoDocument {
  images: Row[];
  annotations: Row[];
  categories: Row[];
}

/** Looked at for a guess; a set has one file per split. */
const MAX_DETECTION_FILES = 8;

export function asCoco(given: unknown): CocoDocument | null {
  if (!isRecord(given) || !Array.isArray(given.images) || !Array.isArray(given.annotations)) return null;
  if (!Array.isArray(given.categories)) return null;
  return {
    images: asRecords(given.images),
    annotations: asRecords(given.annotations),
    categories: asRecords(given.categories),
  };
}

/** Label files first by their usual place, then all others. */
export const candidates = (tree: SourceTree): string[] => {
  const all = findPaths(tree, /\.json$/i).filter((path) => baseName(path) !== 'tessera-schema.json');
  const usual = new Set(
    all.filter((path) => /(^|\/)(annotations\/[^/]+|instances_[^/]*)\.json$/i.test(path)),
  );
  return [...usual, ...all.filter((path) => !usual.has(path))];
};

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const found: { path: string; document: CocoDocument }[] = [];
  for (const path of candidates(tree).slice(0, MAX_DETECTION_FILES)) {
    const document = asCoco(await tryJson(tree, path));
    if (document?.annotations.some(({ segments_info }) => segments_info !== undefined)) return null;
    if (document) found.push({ path, document });
  }
  const [fullest] = [...found].sort((a, b) => b.document.images.length - a.document.images.length);
  if (!fullest || fullest.document.images.length === 0) return null;
  const sum = (field: 'images' | 'annotations') =>
    found.reduce((total, { document }) => total + document[field].length, 0);
  const who =
    found.length === 1 ? `${fullest.path} has` : `${fullest.path} and ${found.length - 1} more have`;
  return {
    certainty: splitOfPath(fullest.path) === null ? 0.8 : 0.9,
    because: `${who} ${formatCount(sum('images'), 'image')}, ${formatCount(sum('annotations'), 'annotation')} and ${formatCount(fullest.document.categories.length, 'category', 'categories')}`,
  };
}

/** What ids are compared by: some tools write them as text. */
export const keyOf = (id: unknown): string | null =>
  typeof id === 'number' || typeof id === 'string' ? String(id) : null;

export const read = (tree: SourceTree) => readMapped(tree, open);

export async function open(tree: SourceTree): Promise<RawSource> {
  const paths: string[] = [];
  const categories: RawCategory[] = [];
  const notes = new Notes();
  for (const path of candidates(tree)) {
    const document = asCoco(await parseCandidate(tree, path));
    if (!document) continue;
    checkIds(path, document, notes);
    paths.push(path);
    categories.push(...categoriesOf(document));
  }
  if (paths.length === 0) throw new Error('No JSON file has images, annotations and categories.');
  return {
    origin: paths[0] as string,
    categories: joinCategories(categories),
    known: await readKnown(tree),
    notes,
    async *images() {
      const pictures = new PicturePaths(tree);
      // One file of labels in memory at a time.
      for (const path of paths) {
        const document = asCoco(await readJson(tree, path));
        if (document) yield* imagesOf(tree, path, document, pictures, notes);
      }
    },
  };
}

const LABEL_KEYS = /"(images|annotations|categories|segmentation|segments_info)"\s*:/;

/** Parses JSON. A label file that is cut off or damaged stops the import before anything is written. */
export async function parseCandidate(tree: SourceTree, path: string): Promise<unknown> {
  const found = await tryJson(tree, path);
  if (found !== null) return found;
  const text = await readText(tree, path);
  return LABEL_KEYS.test(text) ? readJson(tree, path) : null;
}

/** Refuses ids that two entries share, because annotations could then go to the wrong image or category. */
function checkIds(path: string, { images, categories, annotations }: CocoDocument, notes: Notes): void {
  const repeatedId = (rows: readonly Row[], sameness: (row: Row) => unknown) => {
    const seen = new Map<string, unknown>();
    for (const row of rows) {
      const key = keyOf(row.id);
      if (key === null) continue;
      if (seen.has(key) && seen.get(key) !== sameness(row)) return key;
      seen.set(key, sameness(row));
    }
    return null;
  };
  const category = repeatedId(categories, ({ name }) => name);
  if (category !== null)
    throw new Error(`${path} has two categories with the id ${category}. Give each its own id.`);
  const image = repeatedId(images, ({ file_name }) => file_name);
  if (image !== null) throw new Error(`${path} has two images with the id ${image}. Give each its own id.`);
  const seen = new Set<string>();
  for (const { id } of annotations) {
    const key = keyOf(id);
    if (key !== null && seen.has(key))
      notes.add('annotations have the id of another one, and were imported as well', `id ${key} in ${path}`);
    else if (key !== null) seen.add(key);
  }
}

/** Categories with their number of annotations. */
export function categoriesOf({ categories, annotations }: CocoDocument): RawCategory[] {
  const counts = new Map<string | null, number>();
  for (const { category_id } of annotations.filter(isDrawn)) {
    const key = keyOf(category_id);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return categories.flatMap((row) => categoryOf(row, counts.get(keyOf(row.id)) ?? 0));
}

export const categoryOf = ({ name, supercategory, isthing }: Row, count: number): RawCategory[] =>
  typeof name === 'string' && name !== ''
    ? [
        {
          name,
          ...(typeof supercategory === 'string' && { parent: supercategory }),
          ...((isthing === 0 || isthing === false) && { role: 'stuff' as const }),
          count,
        },
      ]
    : [];

/** Files of one dataset list the same categories: their counts are added. */
export function joinCategories(categories: readonly RawCategory[]): RawCategory[] {
  const joined = new Map<string, RawCategory>();
  for (const category of categories) {
    const known = joined.get(category.name);
    joined.set(category.name, { ...category, ...known, count: (known?.count ?? 0) + (category.count ?? 0) });
  }
  return [...joined.values()];
}

function* imagesOf(
  tree: SourceTree,
  path: string,
  document: CocoDocument,
  pictures: PicturePaths,
  notes: Notes,
): Generator<RawImage> {
  const split = splitOfPath(path) ?? parseSplit(path);
  const names = new Map(document.categories.map(({ id, name }) => [keyOf(id), name]));
  const byImage = groupBy(document.annotations.filter(isDrawn), ({ image_id }) => keyOf(image_id));
  for (const image of document.images) {
    const key = keyOf(image.id);
    const name = image.file_name;
    if (key === null || typeof name !== 'string') {
      notes.add('images without id or file name were left out', path);
      continue;
    }
    const own = byImage.get(key) ?? [];
    byImage.delete(key);
    const found = pictures.find(name, splitOfPath(path) ?? '');
    if (found === null) {
      notes.add('images whose picture is not there, or there twice, were left out', name);
      yield lost(name, 'annotations of images whose picture is not there, or there twice,', own, names);
      continue;
    }
    const size = parseSize(image.width, image.height);
    yield {
      path: found,
      bytes: () => tree.bytes(found),
      name: baseName(name.replaceAll('\\', '/')),
      split,
      width: size?.width ?? null,
      height: size?.height ?? null,
      where: name,
      facts: parseFacts(image.tessera),
      tags: [],
      fields: fieldsOf(image),
      annotations: own.map((row) => annotationOf(row, names, size, name)),
    };
  }
  for (const rest of byImage.values()) {
    for (const { id } of rest)
      notes.add('annotations of images that are not listed were left out', `id ${String(id)}`);
    yield lost(path, 'annotations of images that are not listed', rest, names);
  }
}

type Names = ReadonlyMap<string | null, unknown>;

const lost = (where: string, problem: string, rows: readonly Row[], names: Names): RawImage =>
  lostAnnotations(
    where,
    problem,
    rows.map((row) => unreadable(names.get(keyOf(row.category_id)), problem)),
  );

const attributesOf = (row: Row): Row => (isRecord(row.attributes) ? row.attributes : {});

/** Our own exports outline objects by their parts, for loaders that need an outline. Nobody drew it. */
const isDrawn = (row: Row): boolean => attributesOf(row).from_parts !== true;

/** Flags as an object to spread: labels without flags have no such field. */
function readFlags(row: Row, attributes: Row) {
  const isCrowd = row.iscrowd === 1 || row.iscrowd === true;
  const flags = labelFlags.filter((flag) => (flag === 'crowd' ? isCrowd : attributes[flag] === true));
  return flags.length > 0 ? { flags } : {};
}

function annotationOf(row: Row, names: Names, size: PictureSize | null, image: string): RawAnnotation {
  const where = `annotation ${String(row.id)} of ${image}`;
  const category = names.get(keyOf(row.category_id));
  if (typeof category !== 'string') return unreadable('', 'annotations whose category is not listed', where);
  if (row.segmentation === undefined || row.segmentation === null)
    return unreadable(category, 'annotations with a box and no mask', where);
  if (!size) return unreadable(category, 'annotations of images whose size is not said', where);
  const attributes = attributesOf(row);
  // Earlier exports had the number of the object in a key of its own.
  const object = attributes.object ?? row.instance;
  const isNumber = typeof object === 'number' && Number.isInteger(object) && object >= 0 && object < 1e6;
  return {
    category,
    instance: isNumber ? object : null,
    where,
    ...readFlags(row, attributes),
    mask: () => maskOf(row.segmentation, size),
  };
}

function maskOf(segmentation: unknown, size: PictureSize): Mask {
  let mask: Mask;
  try {
    mask = parseSegmentation(segmentation, size);
  } catch (error) {
    throw new Unreadable(`annotations whose mask ${describeMaskError(error)}`);
  }
  if (mask.toggles.length === 1) throw new Unreadable('annotations of area 0');
  return mask;
}
