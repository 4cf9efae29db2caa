import { limits } from '@/lib/core/image-limits';
import { area } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import { csvLine, readCsv } from './codecs/csv';
import { decodeMaskPng, encodeMaskPng } from './codecs/label-png';
import type { Dataset } from './dataset';
import type { Detection, Format, FormatFile, Options, Pictures, SourceTree } from './format';
import { readMapped } from './mapping/open-source';
import { listAnnotations } from './shared/annotations';
import { checkDataset, toCheck } from './shared/check';
import { parseFacts, parseFlags, toFacts } from './shared/image-record';
import {
  fieldsOf,
  lazyMask,
  lostAnnotations,
  type RawAnnotation,
  type RawCategory,
  type RawImage,
  type RawSource,
  unreadable,
} from './shared/raw-source';
import { baseName, findPaths, folderOf, Notes, readText } from './shared/read-tree';
import { type PictureSize, parseSize } from './shared/segmentation';
import { createLabelTable, readSchemaFile, schemaFile, type Vocabulary } from './shared/vocabulary';
import { fileNameOf, pictureFile, stemOf } from './shared/write-files';

export const format: Format = {
  id: 'png-masks',
  name: 'PNG masks and CSV',
  summary: 'A black and white PNG for every mask, with two tables of images and masks.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd', 'occluded', 'truncated'],
  options: [],
  check: async (dataset) => toCheck(await checkDataset(dataset), []),
  write,
  reader: { detect, read: (tree) => readMapped(tree, open), open },
};

const IMAGES_PATH = 'images.csv';
const MASKS_PATH = 'masks.csv';
const imagePath = (split: string, name: string): string => `images/${split}/${name}`;
/** Numbered: labels may hold letters that file systems do not. */
const maskPath = (split: string, stem: string, index: number): string =>
  `masks/${split}/${stem}/${String(index + 1).padStart(3, '0')}.png`;

const imageColumns = ['image', 'split', 'width', 'height', 'class', 'wnid', 'group', 'attributes', 'facts'];
const maskColumns = ['image', 'mask', 'kind', 'label', 'instance', 'area', 'source', 'confidence', 'flags'];

async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  yield schemaFile(dataset.schema);
  yield { path: IMAGES_PATH, chunks: () => imageRows(dataset) };
  yield { path: MASKS_PATH, chunks: () => maskRows(dataset) };
  for await (const image of dataset.images()) {
    const name = fileNameOf(image);
    yield pictureFile(imagePath(image.split, name), image, pictures);
    for (const [index, { mask }] of listAnnotations(image).entries())
      yield { path: maskPath(image.split, stemOf(name), index), bytes: () => encodeMaskPng(mask, 255) };
  }
}

async function* imageRows(dataset: Dataset) {
  yield csvLine(imageColumns);
  for await (const image of dataset.images())
    yield csvLine([
      imagePath(image.split, fileNameOf(image)),
      image.split,
      image.width,
      image.height,
      image.className ?? '',
      image.wnid ?? '',
      image.groupKey ?? '',
      image.attributes?.present.join(';') ?? '',
      JSON.stringify(toFacts(image)),
    ]);
}

async function* maskRows(dataset: Dataset) {
  yield csvLine(maskColumns);
  for await (const image of dataset.images()) {
    const name = fileNameOf(image);
    for (const [index, { kind, id, instance, mask, source, confidence, flags }] of listAnnotations(
      image,
    ).entries())
      yield csvLine([
        imagePath(image.split, name),
        maskPath(image.split, stemOf(name), index),
        kind,
        id,
        instance,
        area(mask),
        source,
        confidence,
        flags?.join(';') ?? '',
      ]);
  }
}

type Row = Record<string, string>;

async function detect(tree: SourceTree): Promise<Detection | null> {
  const [path] = findPaths(tree, /(^|\/)masks\.csv$/);
  if (path === undefined) return null;
  const [header = ''] = (await readText(tree, path)).split(/\r?\n/, 1);
  if (!/(^|,)image,mask,/.test(header)) return null;
  const masks = tree.paths.filter((each) => each.endsWith('.png') && each.includes('masks/')).length;
  return {
    certainty: 0.95,
    because: `${path} lists masks by image, and there are ${masks} PNG files under masks/`,
  };
}

async function open(tree: SourceTree): Promise<RawSource> {
  const [path] = findPaths(tree, /(^|\/)masks\.csv$/);
  if (path === undefined) throw new Error('There is no masks.csv.');
  const root = folderOf(path) === '' ? '' : `${folderOf(path)}/`;
  const rows = [...readCsv(await readText(tree, path))];
  const vocabulary = await readPairs(tree, rows);
  const notes = new Notes();
  return {
    origin: path,
    ...vocabulary,
    notes,
    async *images() {
      const known = new Set(tree.paths);
      const masks = groupBy(rows, ({ image }) => image ?? '');
      const [table] = findPaths(tree, /(^|\/)images\.csv$/);
      const images: Iterable<Row> = table
        ? readCsv(await readText(tree, table))
        : [...masks.keys()].map((image) => ({ image }));
      for (const row of images) {
        const found = `${root}${row.image ?? ''}`;
        const own = masks.get(row.image ?? '') ?? [];
        masks.delete(row.image ?? '');
        if (known.has(found)) yield imageOf(tree, root, found, row, own, known);
        else {
          notes.add('images whose picture is not there were left out', row.image ?? '');
          yield lost(found, 'masks of images whose picture is not there', own);
        }
      }
      for (const [image, own] of masks) {
        notes.add('masks of images that are not listed were left out', image);
        yield lost(image, 'masks of images that are not listed', own);
      }
    },
  };
}

const lost = (where: string, problem: string, rows: readonly Row[]): RawImage =>
  lostAnnotations(
    where,
    problem,
    rows.map((row) => unreadable(categoryOf(row), problem)),
  );

/** Our own table has kind and id apart; another's label may be anything. */
async function readPairs(
  tree: SourceTree,
  rows: readonly Row[],
): Promise<{ known: Vocabulary | null; categories: RawCategory[] }> {
  const schema = await readSchemaFile(tree);
  if (!schema)
    return { known: null, categories: [...new Set(rows.map(categoryOf))].map((name) => ({ name })) };
  const { labels } = createLabelTable(schema);
  const meanings = new Map(labels.map(({ kind, id }) => [`${kind} ${id}`, { kind, id }]));
  return {
    known: { schema, resolve: (name) => meanings.get(name) },
    categories: [...meanings.keys()].map((name) => ({ name })),
  };
}

/** "part head" in our own table. */
const categoryOf = (row: Row): string => (row.kind === undefined ? (row.label ?? '') : pairOf(row));

const pairOf = ({ kind = '', label = '' }: Row): string => `${kind} ${label}`;

function factsOfRow(row: Row) {
  let given: unknown = { class: row.class || null, wnid: row.wnid || null, group: row.group || null };
  try {
    given = JSON.parse(row.facts ?? '');
  } catch {
    // A table that somebody else made: its plain columns say enough.
  }
  return parseFacts(given);
}

function imageOf(
  tree: SourceTree,
  root: string,
  path: string,
  row: Row,
  masks: readonly Row[],
  known: ReadonlySet<string>,
): RawImage {
  const size = parseSize(Number(row.width), Number(row.height));
  return {
    path,
    bytes: () => tree.bytes(path),
    name: baseName(path),
    where: path,
    split: row.split || null,
    width: size?.width ?? null,
    height: size?.height ?? null,
    facts: factsOfRow(row),
    tags: [],
    fields: fieldsOf(row),
    annotations: masks.map((mask) => annotationOf(tree, root, mask, size, known)),
  };
}

function annotationOf(
  tree: SourceTree,
  root: string,
  row: Row,
  size: PictureSize | null,
  known: ReadonlySet<string>,
): RawAnnotation {
  const path = `${root}${row.mask ?? ''}`;
  const category = categoryOf(row);
  if (!known.has(path)) return unreadable(category, 'masks whose file is not there', path);
  const instance = Number(row.instance || Number.NaN);
  return {
    category,
    instance: Number.isInteger(instance) && instance < 1e6 ? instance : null,
    where: path,
    ...parseFlags(row.flags?.split(';')),
    mask: lazyMask('masks of which one', async () => {
      const bytes = await tree.bytes(path);
      const mask = await decodeMaskPng(bytes, size ? size.width * size.height : limits.pixels);
      if (size && (mask.width !== size.width || mask.height !== size.height))
        throw new Error('is not of the size of its image');
      return mask;
    }),
  };
}
