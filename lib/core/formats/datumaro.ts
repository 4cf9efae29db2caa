import { encodeCounts } from '@/lib/core/mask';
import { type LabelFlag, labelFlags } from '@/lib/core/schema/types';
import type { Dataset, DatasetImage } from './dataset';
import type { Detection, Format, FormatFile, Options, Pictures, SourceTree } from './format';
import { readMapped } from './mapping/open-source';
import { type Annotation, listAnnotations, readGroup } from './shared/annotations';
import { checkDataset, toCheck } from './shared/check';
import { parseFacts, parseFlags, toFacts } from './shared/image-record';
import {
  fieldsOf,
  lazyMask,
  lostAnnotations,
  ofGroup,
  type RawAnnotation,
  type RawImage,
  type RawSource,
  readCategories,
  unreadable,
} from './shared/raw-source';
import {
  asRecords,
  baseName,
  findPaths,
  isRecord,
  Notes,
  PicturePaths,
  readJson,
  tryJson,
} from './shared/read-tree';
import { type PictureSize, parsePolygons, parseSegmentation, parseSize } from './shared/segmentation';
import { createLabelTable, type LabelTable, schemaFile } from './shared/vocabulary';
import { fileNameOf, pictureFile, stemOf, streamJsonArray } from './shared/write-files';

export const format: Format = {
  id: 'datumaro',
  name: 'Datumaro',
  summary: 'One JSON per split with masks as runs; parts have their class as parent.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd', 'occluded', 'truncated'],
  options: [],
  check: async (dataset) => toCheck(await checkDataset(dataset), []),
  write,
  reader: { detect, read: (tree) => readMapped(tree, open), open },
};

const annotationsPath = (split: string): string => `annotations/${split}.json`;
const imagePath = (split: string, name: string): string => `images/${split}/${name}`;

/** Datumaro's number for "image". */
const MEDIA_TYPE = 2;

async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = createLabelTable(dataset.schema);
  yield schemaFile(dataset.schema);
  for (const split of dataset.splits)
    yield { path: annotationsPath(split), chunks: () => document(dataset, split, table) };
  for await (const image of dataset.images())
    yield pictureFile(imagePath(image.split, fileNameOf(image)), image, pictures);
}

async function* document(dataset: Dataset, split: string, table: LabelTable) {
  const labels = table.labels.map(({ name, parent }) => ({ name, parent, attributes: [] }));
  const categories = { label: { labels, label_groups: [], attributes: [] } };
  const infos = { name: dataset.name, version: dataset.hash, licence: dataset.licence };
  yield `{"dm_format_version":"1.0","media_type":${MEDIA_TYPE},"infos":${JSON.stringify(infos)},\n`;
  yield `"categories":${JSON.stringify(categories)},\n"items":`;
  yield* streamJsonArray(items(dataset, split, table));
  yield '}\n';
}

async function* items(dataset: Dataset, split: string, table: LabelTable) {
  const zOrders = new Map(dataset.schema.parts.map(({ id, zOrder }) => [id, zOrder]));
  for await (const image of dataset.images()) {
    if (image.split !== split) continue;
    const { width, height } = image;
    yield {
      id: stemOf(fileNameOf(image)),
      annotations: annotationsOf(image, table, zOrders),
      attr: { tessera: toFacts(image) },
      image: { path: fileNameOf(image), size: [height, width] },
    };
  }
}

function annotationsOf(image: DatasetImage, table: LabelTable, zOrders: ReadonlyMap<string, number>) {
  const isKnown = table.labels.some(({ kind, id }) => kind === 'object' && id === image.className);
  const whole =
    image.className !== null && isKnown
      ? [{ kind: 'object' as const, id: image.className }].map((label) => ({
          id: 0,
          type: 'label',
          attributes: {},
          group: 0,
          label_id: table.indexOf(label),
        }))
      : [];
  const masks = listAnnotations(image).map((annotation, index) => ({
    id: index + 1,
    type: 'mask',
    attributes: {
      source: annotation.source,
      confidence: annotation.confidence,
      ...flagAttributes(annotation),
    },
    group: annotation.instance,
    label_id: table.indexOf(annotation),
    z_order: annotation.kind === 'part' ? (zOrders.get(annotation.id) ?? 0) : 0,
    rle: { counts: encodeCounts(annotation.mask), size: [annotation.mask.height, annotation.mask.width] },
  }));
  return [...whole, ...masks];
}

/** Named as Datumaro's own importers do. */
const FLAG_NAMES: Readonly<Record<LabelFlag, string>> = {
  crowd: 'is_crowd',
  occluded: 'occluded',
  truncated: 'truncated',
};

const flagAttributes = ({ flags }: Annotation) =>
  Object.fromEntries((flags ?? []).map((flag) => [FLAG_NAMES[flag], true]));

type Row = Record<string, unknown>;

interface DatumaroDocument {
  labels: Row[];
  items: Row[];
}

function asDatumaro(given: unknown): DatumaroDocument | null {
  if (!isRecord(given) || !Array.isArray(given.items) || !isRecord(given.categories)) return null;
  const label = isRecord(given.categories.label) ? given.categories.label : {};
  return { labels: asRecords(label.labels), items: asRecords(given.items) };
}

const candidates = (tree: SourceTree) => findPaths(tree, /(^|\/)annotations\/[^/]+\.json$/i);

async function detect(tree: SourceTree): Promise<Detection | null> {
  for (const path of candidates(tree).slice(0, 4)) {
    const found = asDatumaro(await tryJson(tree, path));
    if (!found) continue;
    const because = `${path} has ${found.items.length} items and ${found.labels.length} labels under categories.label`;
    return { certainty: 0.9, because };
  }
  return null;
}

async function open(tree: SourceTree): Promise<RawSource> {
  const paths: string[] = [];
  const labels: Row[] = [];
  for (const path of candidates(tree)) {
    const found = asDatumaro(await tryJson(tree, path));
    if (!found) continue;
    paths.push(path);
    labels.push(...found.labels);
  }
  if (paths.length === 0)
    throw new Error('No file under annotations/ has items and categories as Datumaro writes them.');
  const vocabulary = await readCategories(tree, () =>
    labels.flatMap(({ name, parent }) =>
      typeof name === 'string'
        ? [{ name, ...(typeof parent === 'string' && parent !== '' && { parent, isPart: true }) }]
        : [],
    ),
  );
  const notes = new Notes();
  return {
    origin: paths[0] as string,
    ...vocabulary,
    notes,
    async *images() {
      const pictures = new PicturePaths(tree);
      for (const path of paths) {
        const found = asDatumaro(await readJson(tree, path));
        if (found) yield* imagesOf(tree, path, found, pictures, notes);
      }
    },
  };
}

function* imagesOf(
  tree: SourceTree,
  path: string,
  { labels, items }: DatumaroDocument,
  pictures: PicturePaths,
  notes: Notes,
): Generator<RawImage> {
  const split = baseName(path).replace(/\.json$/i, '');
  for (const item of items) {
    const image = isRecord(item.image) ? item.image : isRecord(item.media) ? item.media : {};
    const name = typeof image.path === 'string' ? image.path : '';
    const found = name === '' ? null : pictures.find(name, split);
    const rows = asRecords(item.annotations);
    const labelOf = (row: Row) => labels[typeof row.label_id === 'number' ? row.label_id : -1]?.name;
    const drawn = rows.filter(({ type }) => type !== 'label');
    if (found === null) {
      notes.add('items whose picture is not there, or there twice, were left out', String(item.id));
      const problem = 'annotations of items whose picture is not there, or there twice,';
      yield lostAnnotations(
        String(item.id),
        problem,
        drawn.map((row) => unreadable(labelOf(row), problem)),
      );
      continue;
    }
    const [height, width] = Array.isArray(image.size) ? image.size : [];
    const size = parseSize(width, height);
    const attributes = isRecord(item.attr) ? item.attr : {};
    const isOurs = attributes.tessera !== undefined;
    yield {
      path: found,
      bytes: () => tree.bytes(found),
      name: baseName(name),
      split: split === 'default' ? null : split,
      width: size?.width ?? null,
      height: size?.height ?? null,
      where: name,
      facts: parseFacts(attributes.tessera),
      tags: rows.flatMap((row) => {
        const label = row.type === 'label' ? labelOf(row) : undefined;
        return typeof label === 'string' ? [label] : [];
      }),
      fields: fieldsOf(attributes),
      annotations: drawn.map((row) => annotationOf(row, labelOf(row), size, isOurs)),
    };
  }
}

function annotationOf(row: Row, label: unknown, size: PictureSize | null, isOurs: boolean): RawAnnotation {
  const { type, group } = row;
  if (typeof label !== 'string') return unreadable('', 'annotations whose label is not listed');
  if (type !== 'mask' && type !== 'polygon')
    return unreadable(label, `annotations of type "${String(type).slice(0, 40)}"`);
  if (!size) return unreadable(label, 'masks of images whose size is not said');
  const attributes = isRecord(row.attributes) ? row.attributes : {};
  return {
    category: label,
    ...ofGroup(readGroup(group), isOurs),
    ...parseFlags(labelFlags.filter((flag) => attributes[FLAG_NAMES[flag]] === true)),
    mask: lazyMask('annotations whose mask', () =>
      type === 'mask' ? parseSegmentation(row.rle, size) : parsePolygons([row.points], size),
    ),
  };
}
