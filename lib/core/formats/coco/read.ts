import { formatCount } from '@/lib/core/format';
import { groupBy } from '@/lib/core/quality/group-by';
import { labelFlags } from '@/lib/core/schema/types';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { assembleLabels, type RawAnnotation } from '../shared/annotations';
import { parseFacts } from '../shared/image-record';
import {
  asRecords,
  baseName,
  findPaths,
  isRecord,
  Notes,
  PicturePaths,
  parseSplit,
  readJson,
  tryJson,
} from '../shared/read-tree';
import { describeMaskError, type PictureSize, parseSegmentation, parseSize } from '../shared/segmentation';
import { type ExternalLabel, readVocabulary, type Vocabulary } from '../shared/vocabulary';
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

export async function read(tree: SourceTree): Promise<Source> {
  const documents: { path: string; labels: ExternalLabel[]; drawn: Set<string> }[] = [];
  for (const path of candidates(tree)) {
    const document = asCoco(await tryJson(tree, path));
    if (document)
      documents.push({ path, labels: document.categories.flatMap(labelOf), drawn: drawnNames(document) });
  }
  if (documents.length === 0) throw new Error('No JSON file has images, annotations and categories.');
  const labels = documents.flatMap((document) => document.labels);
  const drawn = new Set(documents.flatMap((document) => [...document.drawn]));
  const vocabulary = await readVocabulary(tree, documents[0]?.path ?? '', () => withParts(labels, drawn));
  const notes = new Notes();
  return {
    schema: vocabulary.schema,
    notes: notes.list,
    async *images() {
      const pictures = new PicturePaths(tree);
      // One file of labels in memory at a time.
      for (const { path } of documents) {
        const document = asCoco(await readJson(tree, path));
        if (document) yield* imagesOf(tree, path, document, vocabulary, pictures, notes);
      }
    },
  };
}

export const labelOf = ({ name, supercategory }: Row): ExternalLabel[] =>
  typeof name === 'string' && name !== ''
    ? [{ name, ...(typeof supercategory === 'string' ? { parent: supercategory } : {}) }]
    : [];

/** Names of the categories that annotations are of. */
export function drawnNames({ categories, annotations }: CocoDocument): Set<string> {
  const names = new Map(categories.map(({ id, name }) => [keyOf(id), name]));
  const drawn = new Set<string>();
  for (const { category_id } of annotations) {
    const name = names.get(keyOf(category_id));
    if (typeof name === 'string') drawn.add(name);
  }
  return drawn;
}

/**
 * A supercategory is the whole of a part only where it was drawn itself. Else it is the kind of thing that a class is:
 * many tools list "fruit" beside "apple" and "pear", and nobody ever drew a fruit.
 */
export const withParts = (labels: readonly ExternalLabel[], drawn: ReadonlySet<string>): ExternalLabel[] =>
  labels.map(({ name, parent }) => (parent !== undefined && drawn.has(parent) ? { name, parent } : { name }));

function* imagesOf(
  tree: SourceTree,
  path: string,
  document: CocoDocument,
  vocabulary: Vocabulary,
  pictures: PicturePaths,
  notes: Notes,
): Generator<SourceImage> {
  const split = splitOfPath(path) ?? parseSplit(path);
  const names = new Map(document.categories.map(({ id, name }) => [keyOf(id), name]));
  const byImage = groupBy(document.annotations, ({ image_id }) => keyOf(image_id));
  for (const image of document.images) {
    const key = keyOf(image.id);
    const name = image.file_name;
    if (key === null || typeof name !== 'string') {
      notes.add('images without id or file name were left out', path);
      continue;
    }
    const found = pictures.find(name, splitOfPath(path) ?? '');
    if (found === null) {
      notes.add('images whose picture is not there, or there twice, were left out', name);
      continue;
    }
    const size = parseSize(image.width, image.height);
    const own = byImage.get(key) ?? [];
    byImage.delete(key);
    if (!size && own.length > 0) notes.add('images whose size is not said lost their masks', name);
    const raw = size ? own.flatMap((row) => rawOf(row, names, size, notes, name)) : [];
    yield {
      path: found,
      bytes: () => tree.bytes(found),
      name: baseName(name.replaceAll('\\', '/')),
      split,
      width: size?.width ?? null,
      height: size?.height ?? null,
      ...assembleLabels(raw, parseFacts(image.tessera), vocabulary, notes, name),
    };
  }
  for (const rest of byImage.values())
    for (const { id } of rest)
      notes.add('annotations of images that are not listed were left out', `id ${String(id)}`);
}

/** Flags as an object to spread: labels without flags have no such field. */
function readFlags(row: Row, attributes: Row) {
  const isCrowd = row.iscrowd === 1 || row.iscrowd === true;
  const flags = labelFlags.filter((flag) => (flag === 'crowd' ? isCrowd : attributes[flag] === true));
  return flags.length > 0 ? { flags } : {};
}

function rawOf(
  row: Row,
  names: ReadonlyMap<string | null, unknown>,
  size: PictureSize,
  notes: Notes,
  where: string,
): RawAnnotation[] {
  const name = names.get(keyOf(row.category_id));
  const leaveOut = (what: string): RawAnnotation[] => {
    notes.add(`${what} were left out`, `annotation ${String(row.id)} of ${where}`);
    return [];
  };
  if (typeof name !== 'string') return leaveOut('annotations whose category is not listed');
  const attributes = isRecord(row.attributes) ? row.attributes : {};
  if (attributes.from_parts === true) return [];
  if (row.segmentation === undefined || row.segmentation === null)
    return leaveOut('annotations with a box and no mask');
  try {
    const mask = parseSegmentation(row.segmentation, size);
    if (mask.toggles.length === 1) return leaveOut('annotations of area 0');
    // Earlier exports had the number of the object in a key of its own.
    const object = attributes.object ?? row.instance;
    const isNumber = typeof object === 'number' && Number.isInteger(object) && object >= 0 && object < 1e6;
    return [{ name, instance: isNumber ? object : null, mask, ...readFlags(row, attributes) }];
  } catch (error) {
    return leaveOut(`annotations whose mask ${describeMaskError(error)}`);
  }
}
