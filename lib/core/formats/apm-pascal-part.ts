import { pascalPart, pascalPartGrouped } from '@/lib/core/schema/presets';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { encodePartMap, noMap, type PaintLayer } from './codecs/paint';
import { decodeTiff } from './codecs/tiff';
import type { Dataset, DatasetImage, ObjectLabel } from './dataset';
import { groupParts, largestObject } from './derive';
import type {
  Check,
  Detection,
  Format,
  FormatFile,
  Options,
  Pictures,
  Source,
  SourceImage,
  SourceTree,
} from './format';
import { checkPartLayout, classOnlyLoss, isLabelled, layoutLosses } from './shared/check-part-layout';
import { type IdTable, idFiles, idsOption, isWithin, numberedTable, otherIdsLoss } from './shared/id-table';
import { partLayers, splitLabelMap, zOrdersOf } from './shared/part-layers';
import { createSource, emptyImage, importProvenance, type Notes, pathSet } from './shared/read-tree';
import { readSchemaFile } from './shared/vocabulary';
import { jpegFile, stemOf } from './shared/write-files';

/** Fine parts of the release and the merged ones are both understood. */
const knows = {
  classes: pascalPart.classes,
  parts: [
    ...pascalPart.parts,
    ...pascalPartGrouped.parts.filter(({ id }) => !pascalPart.parts.some((part) => part.id === id)),
  ],
};

async function check(dataset: Dataset, options: Options): Promise<Check> {
  const table = tableOf(dataset.schema);
  if (table && options.ids !== 'original') return checkAny(dataset, table, options);
  let left = 0;
  let classOnly = 0;
  const used = new Set<string>();
  const problems = await checkPartLayout(
    dataset,
    {
      knows,
      readers: 'the part-model code',
      fileName: ({ name }) => `${stemOf(name)}.jpg`,
      // Pictures and masks are paired by their place in two sorted lists; a dot sorts differently before jpg and tif.
      name: (name) => (stemOf(name).includes('.') ? 'has a dot, by which its mask would be mistaken' : null),
      splits: SPLITS,
      needsEverySplit: true,
      image: (image) => {
        if (groupParts(image)) {
          used.add(image.split);
          if (image.hasMasks && !isLabelled(image)) classOnly += 1;
        } else left += 1;
      },
    },
    options,
  );
  if (problems.list().length === 0)
    for (const split of SPLITS)
      if (!used.has(split))
        problems.add(
          'A split has no image of aeroplane, bird, car, cat or dog, which the code knows.',
          split,
        );
  return {
    refusals: problems.list(),
    losses: [
      ...(left > 0
        ? [
            `${left} images are left out: their largest object is no aeroplane, bird, car, cat or dog, or nothing tells their class.`,
          ]
        : []),
      ...classOnlyLoss(classOnly),
      'Fine parts are merged to three per class.',
      'A pixel has one part: where parts overlap the first keeps it, the largest object before the others.',
      layoutLosses.outlines,
      layoutLosses.instances,
      layoutLosses.attributes,
      layoutLosses.absent,
      layoutLosses.provenance,
      layoutLosses.columns,
    ],
  };
}

/** The numbers of a schema that is not the original one, or null. */
const tableOf = (schema: DatasetSchema): IdTable | null =>
  isWithin(schema, knows) ? null : numberedTable(schema);

/** The original code takes the class of the largest object; other schemas have the class of the image. */
const classOf = (image: DatasetImage): string | null =>
  image.className ?? largestObject(image)?.className ?? null;

async function checkAny(dataset: Dataset, table: IdTable, options: Options): Promise<Check> {
  let left = 0;
  let classOnly = 0;
  const problems = await checkPartLayout(
    dataset,
    {
      knows: dataset.schema,
      readers: 'the part-model code',
      fileName: ({ name }) => `${stemOf(name)}.jpg`,
      name: (name) => (stemOf(name).includes('.') ? 'has a dot, by which its mask would be mistaken' : null),
      splits: SPLITS,
      needsEverySplit: true,
      hasClassFolders: true,
      image: (image) => {
        if (classOf(image) === null) left += 1;
        else if (image.hasMasks && !isLabelled(image)) classOnly += 1;
      },
    },
    options,
  );
  return {
    refusals: problems.list(),
    losses: [
      ...(left > 0 ? [`${left} images are left out: nothing tells their class.`] : []),
      ...classOnlyLoss(classOnly),
      ...otherIdsLoss(table.isOriginal),
      'Parts are not merged, while the code expects three parts per class: set the number in its table.',
      layoutLosses.overlap,
      layoutLosses.outlines,
      layoutLosses.instances,
      layoutLosses.attributes,
      layoutLosses.absent,
      layoutLosses.provenance,
      layoutLosses.columns,
    ],
  };
}

async function* writeAny(dataset: Dataset, table: IdTable, pictures: Pictures): AsyncIterable<FormatFile> {
  const zOrders = zOrdersOf(dataset.schema);
  yield* idFiles(table);
  for (const split of SPLITS)
    for (const id of table.classNames) {
      yield { path: pictureFolder(split, id) };
      yield { path: maskFolder(split, id) };
    }
  for await (const image of dataset.images()) {
    const className = classOf(image);
    if (className === null) continue;
    const stem = stemOf(image.name);
    const layers = () =>
      partLayers(image, zOrders).flatMap(({ object, part: { id, mask } }) => {
        const value = table.find(object.className, id)?.mask;
        return value === undefined ? [] : [{ mask, value }];
      });
    yield jpegFile(`${pictureFolder(image.split, className)}${stem}.jpg`, image, pictures);
    yield {
      path: `${maskFolder(image.split, className)}${stem}.tif`,
      bytes: () => maskFile(image, layers()),
    };
  }
}

export const format: Format = {
  id: 'apm-pascal-part',
  name: 'PASCAL-Part for the part-model code',
  summary:
    'Pictures and masks of aeroplane, bird, car, cat and dog with three merged parts each, as the code of the part-based models reads them.',
  kind: 'part-model code',
  options: [idsOption],
  check,
  write,
  reader: { detect, read },
};

const SPLITS = ['train', 'val', 'test'] as const;

const pictureFolder = (split: string, className: string): string => `images/${split}/${className}/`;
const maskFolder = (split: string, className: string): string => `panoptic-parts/${split}/${className}/`;

const PICTURE = /(?:^|\/)images\/(train|val|test)\/([^/]+)\/([^/]+)\.(?:jpg|png)$/;

/** The pictures in folders of known classes. */
const picturesOf = (tree: SourceTree, classes: readonly string[]): string[] =>
  tree.paths.filter((path) => classes.includes(PICTURE.exec(path)?.[2] ?? ''));

async function* write(dataset: Dataset, options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = tableOf(dataset.schema);
  if (table && options.ids !== 'original') {
    yield* writeAny(dataset, table, pictures);
    return;
  }
  // Ids 1 to 15 hold only when all five classes are there, in every split.
  for (const split of SPLITS)
    for (const { id } of pascalPartGrouped.classes) {
      yield { path: pictureFolder(split, id) };
      yield { path: maskFolder(split, id) };
    }
  for await (const image of dataset.images()) {
    const grouped = groupParts(image);
    if (!grouped) continue;
    const stem = stemOf(image.name);
    yield jpegFile(`${pictureFolder(image.split, grouped.className)}${stem}.jpg`, image, pictures);
    yield {
      path: `${maskFolder(image.split, grouped.className)}${stem}.tif`,
      bytes: () => maskFile(image, grouped.layers),
    };
  }
}

function maskFile(image: DatasetImage, layers: readonly PaintLayer[]): Uint8Array {
  const { width, height } = image;
  // Below zero there is no mask, and the class alone is learnt from.
  if (!isLabelled(image)) return noMap(width, height);
  return encodePartMap(layers, width, height);
}

/** The class and part behind a number of the original layout, or of the schema file in the tree. */
interface ReadTable {
  schema: DatasetSchema;
  ofMask(value: number): { className: string; partId: string } | undefined;
}

const groupedParts = new Map(pascalPartGrouped.parts.map((part) => [part.codes?.mask as number, part]));

const grouped: ReadTable = {
  schema: pascalPartGrouped,
  ofMask(value) {
    const part = groupedParts.get(value);
    return part && { className: part.classes[0] as string, partId: part.id };
  },
};

async function readTable(tree: SourceTree): Promise<ReadTable> {
  const schema = await readSchemaFile(tree);
  return schema ? numberedTable(schema) : grouped;
}

const classesOf = ({ schema }: ReadTable): string[] => schema.classes.map(({ id }) => id);

const maskOf = (picture: string) =>
  picture.replace(/(^|\/)images\/([^/]+\/[^/]+\/[^/]+)\.(?:jpg|png)$/, '$1panoptic-parts/$2.tif');

async function detect(tree: SourceTree): Promise<Detection | null> {
  const paths = pathSet(tree);
  const pictures = picturesOf(tree, classesOf(await readTable(tree).catch(() => grouped)));
  const first = pictures.find((path) => paths.has(maskOf(path)));
  if (!first) return null;
  return {
    certainty: 0.95,
    because: `${pictures.length} pictures lie in folders of classes, with masks such as ${maskOf(first)} beside them`,
  };
}

async function read(tree: SourceTree): Promise<Source> {
  const paths = pathSet(tree);
  const table = await readTable(tree);
  return createSource(
    table.schema,
    picturesOf(tree, classesOf(table)),
    (path) => path,
    (path, notes) => readImage(tree, paths, path, table, notes),
  );
}

async function readImage(
  tree: SourceTree,
  paths: ReadonlySet<string>,
  path: string,
  table: ReadTable,
  notes: Notes,
): Promise<SourceImage> {
  const [, split = '', className = ''] = PICTURE.exec(path) ?? [];
  const image = { ...emptyImage(tree, path, split), className };
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
  for (const [id, mask] of splitLabelMap(pixels, width, height)) {
    const part = table.ofMask(id);
    if (part) objectOf(part.className).parts.push({ ...importProvenance, id: part.partId, mask });
    else notes.add(`pixels of id ${id}, which is no part, were left out`, maskOf(path));
  }
  return { ...image, width, height, objects: [...objects.values()] };
}
