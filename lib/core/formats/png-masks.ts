import { limits } from '@/lib/core/image-limits';
import { area } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import { csvLine, readCsv } from './codecs/csv';
import { decodeMaskPng, encodeMaskPng } from './codecs/label-png';
import type { Dataset } from './dataset';
import type {
  Detection,
  Format,
  FormatFile,
  Options,
  Pictures,
  Source,
  SourceImage,
  SourceTree,
} from './format';
import {
  type AnnotationKind,
  assembleLabels,
  listAnnotations,
  type RawAnnotation,
} from './shared/annotations';
import { checkDataset, toCheck } from './shared/check';
import { parseFacts, parseFlags, toFacts } from './shared/image-record';
import { baseName, findPaths, folderOf, Notes, readText } from './shared/read-tree';
import { describeMaskError, parseSize } from './shared/segmentation';
import { readSchemaFile, readVocabulary, schemaFile } from './shared/vocabulary';
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
  reader: { detect, read },
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

async function read(tree: SourceTree): Promise<Source> {
  const [path] = findPaths(tree, /(^|\/)masks\.csv$/);
  if (path === undefined) throw new Error('There is no masks.csv.');
  const root = folderOf(path) === '' ? '' : `${folderOf(path)}/`;
  const rows = [...readCsv(await readText(tree, path))];
  const isOurs = (await readSchemaFile(tree)) !== null;
  const vocabulary = await readVocabulary(tree, path, () => rows.map(({ label = '' }) => ({ name: label })));
  /** Our own table has kind and id apart; another's label may be anything. */
  const resolve = isOurs ? (name: string) => readPair(name) : vocabulary.resolve;
  const notes = new Notes();
  return {
    schema: vocabulary.schema,
    notes: notes.list,
    async *images() {
      const known = new Set(tree.paths);
      const masks = groupBy(rows, ({ image }) => image ?? '');
      const [table] = findPaths(tree, /(^|\/)images\.csv$/);
      const images: Iterable<Row> = table
        ? readCsv(await readText(tree, table))
        : [...masks.keys()].map((image) => ({ image }));
      for (const row of images) {
        const found = `${root}${row.image ?? ''}`;
        if (!known.has(found)) {
          notes.add('images whose picture is not there were left out', row.image ?? '');
          continue;
        }
        const size = parseSize(Number(row.width), Number(row.height));
        const raw = await rawOf(tree, root, known, masks.get(row.image ?? '') ?? [], size, notes);
        yield imageOf(
          tree,
          found,
          row,
          size,
          assembleLabels(raw, factsOfRow(row), { ...vocabulary, resolve }, notes, found),
        );
      }
    },
  };
}

const pairOf = ({ kind = '', label = '' }: Row): string => `${kind} ${label}`;

function readPair(pair: string): { kind: AnnotationKind; id: string } | undefined {
  const [kind = '', ...rest] = pair.split(' ');
  return kind === 'object' || kind === 'part' || kind === 'attribute'
    ? { kind, id: rest.join(' ') }
    : undefined;
}

function factsOfRow(row: Row) {
  let given: unknown = { class: row.class || null, wnid: row.wnid || null, group: row.group || null };
  try {
    given = JSON.parse(row.facts ?? '');
  } catch {
    // A table that somebody else made: its plain columns say enough.
  }
  return parseFacts(given);
}

async function rawOf(
  tree: SourceTree,
  root: string,
  known: ReadonlySet<string>,
  rows: readonly Row[],
  size: { width: number; height: number } | null,
  notes: Notes,
): Promise<RawAnnotation[]> {
  const raw: RawAnnotation[] = [];
  for (const row of rows) {
    const path = `${root}${row.mask ?? ''}`;
    const name = row.kind === undefined ? (row.label ?? '') : pairOf(row);
    if (!known.has(path)) {
      notes.add('masks whose file is not there were left out', path);
      continue;
    }
    try {
      const mask = await decodeMaskPng(
        await tree.bytes(path),
        size ? size.width * size.height : limits.pixels,
      );
      if (size && (mask.width !== size.width || mask.height !== size.height))
        throw new Error('is not of the size of its image');
      const instance = Number(row.instance || Number.NaN);
      raw.push({
        name,
        instance: Number.isInteger(instance) && instance < 1e6 ? instance : null,
        mask,
        ...parseFlags(row.flags?.split(';')),
      });
    } catch (error) {
      notes.add(`masks of which one ${describeMaskError(error)} were left out`, path);
    }
  }
  return raw;
}

const imageOf = (
  tree: SourceTree,
  path: string,
  row: Row,
  size: { width: number; height: number } | null,
  labels: ReturnType<typeof assembleLabels>,
): SourceImage => ({
  path,
  bytes: () => tree.bytes(path),
  name: baseName(path),
  split: row.split || null,
  width: size?.width ?? null,
  height: size?.height ?? null,
  ...labels,
});
