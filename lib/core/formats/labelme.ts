import { boundingBox, isEmpty, type Mask, pad } from '@/lib/core/mask';
import { labelFlags } from '@/lib/core/schema/types';
import { fromBase64, toBase64 } from './codecs/bytes';
import { cropToBox, decodeMaskPng, encodeMaskPng } from './codecs/label-png';
import type { Dataset, DatasetImage } from './dataset';
import type { Detection, Format, FormatFile, Options, Pictures, SourceTree } from './format';
import { readMapped } from './mapping/open-source';
import { type Annotation, listAnnotations, readGroup } from './shared/annotations';
import { checkDataset, losses, toCheck } from './shared/check';
import { parseFacts, parseFlags, toFacts } from './shared/image-record';
import {
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
  folderOf,
  isRecord,
  Notes,
  PicturePaths,
  parseSplit,
  readJson,
  tryJson,
} from './shared/read-tree';
import { type PictureSize, parsePolygons, parseSize } from './shared/segmentation';
import { createLabelTable, type LabelTable, schemaFile } from './shared/vocabulary';
import { fileNameOf, pictureFile, stemOf } from './shared/write-files';

export const format: Format = {
  id: 'labelme',
  name: 'LabelMe',
  summary: 'A JSON beside each picture, with masks as cut-out PNGs and objects as groups.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd', 'occluded', 'truncated'],
  options: [],
  check: async (dataset) =>
    toCheck(
      await checkDataset(dataset, {
        name: (name) => (/^tessera-schema\./i.test(name) ? 'is taken by the file of the schema' : null),
      }),
      [losses.provenance],
    ),
  write,
  reader: { detect, read: (tree) => readMapped(tree, open), open },
};

/** LabelMe looks for the labels of a picture beside it. */
const imagePath = (split: string, name: string): string => `${split}/${name}`;
const labelPath = (split: string, stem: string): string => `${split}/${stem}.json`;

/** The LabelMe whose files these are like. */
const LABELME_VERSION = '5.5.0';

const encoder = new TextEncoder();

async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = createLabelTable(dataset.schema);
  const attributes = dataset.schema.attributes.map(({ id }) => id);
  yield schemaFile(dataset.schema);
  for await (const image of dataset.images()) {
    const name = fileNameOf(image);
    yield pictureFile(imagePath(image.split, name), image, pictures);
    yield {
      path: labelPath(image.split, stemOf(name)),
      bytes: () => encoder.encode(`${JSON.stringify(documentOf(image, table, attributes), null, 2)}\n`),
    };
  }
}

function documentOf(image: DatasetImage, table: LabelTable, attributes: readonly string[]) {
  const present = image.attributes?.present;
  return {
    version: LABELME_VERSION,
    flags: Object.fromEntries(present ? attributes.map((id) => [id, present.includes(id)]) : []),
    shapes: listAnnotations(image)
      .filter(({ mask }) => !isEmpty(mask))
      .map((annotation) => toShape(annotation, table)),
    imagePath: fileNameOf(image),
    imageData: null,
    imageHeight: image.height,
    imageWidth: image.width,
    tessera: toFacts(image),
  };
}

function toShape(annotation: Annotation, table: LabelTable) {
  const box = boundingBox(annotation.mask);
  const [x, y, width, height] = box;
  return {
    label: table.labels[table.indexOf(annotation)]?.name,
    // First and last pixel of the crop, both within it.
    points: [
      [x, y],
      [x + width - 1, y + height - 1],
    ],
    group_id: annotation.instance === 0 ? null : annotation.instance,
    description: '',
    shape_type: 'mask',
    flags: Object.fromEntries((annotation.flags ?? []).map((flag) => [flag, true])),
    mask: toBase64(encodeMaskPng(cropToBox(annotation.mask, box), 1)),
  };
}

type Row = Record<string, unknown>;

const isLabelMe = (given: unknown): given is Row & { shapes: unknown[]; imagePath: string } =>
  isRecord(given) && Array.isArray(given.shapes) && typeof given.imagePath === 'string';

const candidates = (tree: SourceTree) =>
  findPaths(tree, /\.json$/i).filter((path) => baseName(path) !== 'tessera-schema.json');

async function detect(tree: SourceTree): Promise<Detection | null> {
  const paths = candidates(tree);
  for (const path of paths.slice(0, 4)) {
    const found = await tryJson(tree, path);
    if (!isLabelMe(found)) continue;
    const because = `${path} has shapes of ${found.imagePath}, as LabelMe writes them; there are ${paths.length} such files`;
    return { certainty: 0.9, because };
  }
  return null;
}

async function open(tree: SourceTree): Promise<RawSource> {
  const paths = candidates(tree);
  const vocabulary = await readCategories(tree, async () => {
    const names = new Set<string>();
    for (const path of paths) {
      const found = await tryJson(tree, path);
      if (isLabelMe(found))
        for (const { label } of asRecords(found.shapes)) if (typeof label === 'string') names.add(label);
    }
    return [...names].sort().map((name) => ({ name }));
  });
  const notes = new Notes();
  return {
    origin: 'the LabelMe files',
    ...vocabulary,
    notes,
    async *images() {
      const pictures = new PicturePaths(tree);
      for (const path of paths) {
        const found = await tryJson(tree, path);
        if (isLabelMe(found)) yield imageOf(tree, path, found, pictures, notes);
        else if (found === null) await noteInvalid(tree, path, notes);
        else notes.add('JSON files that are no labels of LabelMe were left out', path);
      }
    },
  };
}

/** Says what is wrong with a file that is no JSON, one note for each. */
async function noteInvalid(tree: SourceTree, path: string, notes: Notes): Promise<void> {
  const reason = await readJson(tree, path).then(
    () => 'without content',
    (error) =>
      error instanceof Error ? error.message.slice(path.length + 1).replace(/^is |\.$/g, '') : 'unreadable',
  );
  notes.add(`label files were left out: ${reason}`, path);
}

function imageOf(
  tree: SourceTree,
  path: string,
  document: Row & { shapes: unknown[]; imagePath: string },
  pictures: PicturePaths,
  notes: Notes,
): RawImage {
  const folder = folderOf(path);
  const name = document.imagePath;
  const beside = pictures.find(folder === '' ? name : `${folder}/${name}`, folder);
  const found = beside ?? (/[/\\]/.test(name) ? null : pictures.find(name, folder));
  if (found === null) {
    notes.add('label files whose picture is not there, or there twice, were left out', path);
    const problem = 'shapes of label files whose picture is not there, or there twice,';
    return lostAnnotations(
      path,
      problem,
      asRecords(document.shapes).map(({ label }) => unreadable(label, problem)),
    );
  }
  const size = parseSize(document.imageWidth, document.imageHeight);
  const isOurs = document.tessera !== undefined;
  return {
    path: found,
    bytes: () => tree.bytes(found),
    name: baseName(found),
    split: isOurs ? baseName(folder) : parseSplit(folder),
    width: size?.width ?? null,
    height: size?.height ?? null,
    where: path,
    facts: parseFacts(document.tessera),
    tags: isOurs ? [] : flagsOf(document.flags),
    fields: {},
    annotations: asRecords(document.shapes).map((row) => parseShape(row, size, isOurs)),
  };
}

/** Flags that are set are labels of the image. */
const flagsOf = (flags: unknown): string[] =>
  isRecord(flags) ? Object.keys(flags).filter((name) => flags[name] === true) : [];

function parseShape(row: Row, size: PictureSize | null, isOurs: boolean): RawAnnotation {
  const { label, shape_type: type = 'polygon' } = row;
  if (typeof label !== 'string') return unreadable('', 'shapes without a label');
  if (type !== 'mask' && type !== 'polygon')
    return unreadable(label, `shapes of type "${String(type).slice(0, 40)}"`);
  if (!size) return unreadable(label, 'shapes of images whose size is not said');
  const flags = isRecord(row.flags) ? row.flags : {};
  return {
    category: label,
    ...ofGroup(readGroup(row.group_id), isOurs),
    ...parseFlags(labelFlags.filter((flag) => flags[flag] === true)),
    mask: lazyMask('shapes whose mask', () =>
      type === 'mask' ? placed(row, size) : polygon(row.points, size),
    ),
  };
}

function polygon(points: unknown, size: PictureSize): Mask {
  if (!Array.isArray(points)) throw new Error('has no points');
  return parsePolygons([points.flat()], size);
}

/** The crop, put where its first corner says. */
async function placed(row: Row, { width, height }: { width: number; height: number }): Promise<Mask> {
  if (typeof row.mask !== 'string' || !Array.isArray(row.points)) throw new Error('has no pixels');
  const [corner] = row.points as unknown[];
  const [x, y] = Array.isArray(corner) ? corner.map((each) => Math.round(Number(each))) : [];
  const mask = await decodeMaskPng(fromBase64(row.mask), width * height);
  const right = width - mask.width - (x ?? Number.NaN);
  const bottom = height - mask.height - (y ?? Number.NaN);
  if (!((x as number) >= 0 && (y as number) >= 0 && right >= 0 && bottom >= 0))
    throw new Error('lies outside of its image');
  return pad(mask, { left: x as number, top: y as number, right, bottom });
}
