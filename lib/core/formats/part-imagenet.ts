import {
  area,
  boundingBox,
  encodeCounts,
  isEmpty,
  type Mask,
  rasterizeBox,
  toRegions,
} from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import { partImageNet } from '@/lib/core/schema/presets';
import { type Dataset, type DatasetImage, instanceMasks, type ObjectLabel } from './dataset';
import type {
  Detection,
  Format,
  FormatFile,
  FormatOption,
  Options,
  Pictures,
  Source,
  SourceImage,
  SourceTree,
} from './format';
import { mergeById } from './shared/annotations';
import { toCheck } from './shared/check';
import { checkPartLayout, type LayoutRules, layoutLosses } from './shared/check-part-layout';
import {
  type IdTable,
  idFiles,
  idsOption,
  otherIdsLoss,
  partImageNetTable,
  readIdTable,
} from './shared/id-table';
import { pieceRings } from './shared/polygons';
import {
  asRecords,
  baseName,
  emptyImage,
  findPaths,
  importProvenance,
  Notes,
  PicturePaths,
  readJson,
  tryJson,
} from './shared/read-tree';
import { describeMaskError, type PictureSize, parseSegmentation, parseSize } from './shared/segmentation';
import { jpegFile, type NumberedImage, numberImages, stemOf, streamJsonArray } from './shared/write-files';

export const releaseRules: LayoutRules = {
  knows: partImageNet,
  readers: 'code that reads PartImageNet',
  fileName: releaseName,
  name: releaseNameProblem,
  splits: ['train', 'val', 'test'],
  usesWnid: true,
  image(image, problems) {
    if (image.wnid === null)
      problems.add(
        'An image has no WordNet id, by which the release keeps images. Add one, or leave it out.',
        image.name,
      );
  },
};

/** Rules for a schema: with the option ids=any, other classes and parts than the original ones are numbered too. */
export function releaseRulesOf(table: IdTable, { ids }: Options): LayoutRules {
  return ids === 'original' || table.isOriginal ? releaseRules : { ...releaseRules, knows: table.schema };
}

/** Gives images without a WordNet id that of their class. */
export const withWnids = (dataset: Dataset, table: IdTable, { ids }: Options): Dataset =>
  ids === 'original'
    ? dataset
    : {
        ...dataset,
        async *images() {
          for await (const image of dataset.images()) {
            const { wnid, className } = image;
            yield wnid === null && className !== null && table.classNames.includes(className)
              ? { ...image, wnid: table.wnidOf(className) }
              : image;
          }
        },
      };

async function* write(all: Dataset, options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = partImageNetTable(all.schema);
  const dataset = withWnids(all, table, options);
  const style = segmentationStyle(options);
  const documentOf = documents(dataset, (image) => partMasks(image, table), partCategories(table), style);
  yield* idFiles(table);
  for (const split of releaseRules.splits ?? [])
    yield { path: `${split}.json`, chunks: () => documentOf(split) };
  for await (const image of dataset.images())
    yield jpegFile(`${image.split}/${image.wnid}/${releaseName(image)}`, image, pictures);
}

/** Loaders of the release expect polygons only. */
export const holesOption: FormatOption = {
  name: 'holes',
  kind: 'choice',
  description: 'How a mask with a hole is written.',
  values: [
    {
      value: 'seams',
      description: 'As a polygon in which the hole is joined to the border by a seam, as loaders expect.',
    },
    { value: 'rle', description: 'As runs, which the release itself never has.' },
  ],
  defaultValue: 'seams',
};

export const segmentationStyle = ({ holes }: Options): 'seams' | 'rle' => (holes === 'rle' ? 'rle' : 'seams');

export const format: Format = {
  id: 'part-imagenet',
  name: 'PartImageNet',
  summary:
    'The original release: a COCO file per split with polygons of 40 parts, and pictures by WordNet id.',
  kind: 'own layout',
  holds: ['instances'],
  holdsClasses: false,
  options: [idsOption, holesOption],
  async check(all, options) {
    const table = partImageNetTable(all.schema);
    const dataset = withWnids(all, table, options);
    return toCheck(await checkPartLayout(dataset, releaseRulesOf(table, options), options), [
      'The class of an image is that of its parts: an image without parts has none.',
      ...otherIdsLoss(table.isOriginal),
      layoutLosses.instances,
      layoutLosses.outlines,
      layoutLosses.attributes,
      layoutLosses.absent,
      layoutLosses.provenance,
      layoutLosses.columns,
    ]);
  },
  write,
  reader: { detect, read },
};

/** Readers take the folder from the first nine letters and split at the underscore: "n01440764_18.JPEG", nothing else. */
export function releaseName(image: DatasetImage): string {
  const stem = stemOf(image.name);
  const isOwn = image.wnid !== null && stem.startsWith(`${image.wnid}_`);
  return `${isOwn ? stem : `${image.wnid}_${stem}`}.JPEG`;
}

function releaseNameProblem(name: string): string | null {
  if (!/^n\d{8}_/.test(name)) return 'has no WordNet id before it, by which the release keeps images';
  return /^n\d{8}_[^_.]+\.JPEG$/.test(name) ? null : 'has a dot or an underscore too many for its readers';
}

export interface ReleaseMask {
  category: number;
  mask: Mask;
}

/** Lists the parts of all objects, an instance of a part on its own, as the release does with four tyres. */
export const partMasks = (image: DatasetImage, table: IdTable): ReleaseMask[] =>
  image.objects.flatMap(({ className, parts }) =>
    parts.flatMap((part) => {
      const category = table.find(className, part.id)?.category;
      return category === undefined ? [] : instanceMasks(part).map((mask) => ({ category, mask }));
    }),
  );

export const partCategories = ({ entries }: IdTable) =>
  [...entries]
    .sort((a, b) => a.category - b.category)
    .map(({ category, partId, className }) => ({ id: category, name: partId, supercategory: className }));

type MasksOf = (image: DatasetImage) => readonly ReleaseMask[];

/** COCO files by split. Ids go through all splits, because the part-model code pools the three files. */
export function documents(
  dataset: Dataset,
  masksOf: MasksOf,
  categories: readonly unknown[],
  style: 'seams' | 'rle',
): (split: string) => AsyncGenerator<string> {
  const drawnIn = (image: DatasetImage) =>
    image.hasMasks ? masksOf(image).filter(({ mask }) => !isEmpty(mask)) : [];
  const imagesOf = numberImages(dataset, (image) => drawnIn(image).length);
  return async function* (split) {
    yield '{"images":';
    yield* streamJsonArray(images(imagesOf(split)));
    yield ',\n"annotations":';
    yield* streamJsonArray(annotations(imagesOf(split), drawnIn, style));
    yield ',\n"categories":';
    yield* streamJsonArray(categories);
    yield '}\n';
  };
}

async function* images(numberedImages: AsyncIterable<NumberedImage>) {
  for await (const { image, imageId: id } of numberedImages)
    yield { id, file_name: releaseName(image), height: image.height, width: image.width };
}

async function* annotations(
  numberedImages: AsyncIterable<NumberedImage>,
  masksOf: MasksOf,
  style: 'seams' | 'rle',
) {
  for await (const { image, imageId, before } of numberedImages) {
    let id = before;
    for (const { category, mask } of masksOf(image)) {
      id += 1;
      yield {
        id,
        image_id: imageId,
        category_id: category,
        segmentation: segmentationOf(mask, style),
        bbox: boundingBox(mask),
        area: area(mask),
        iscrowd: 0,
      };
    }
  }
}

/** Rings along pixel corners give the same pixels by COCO's rule. */
function segmentationOf(mask: Mask, style: 'seams' | 'rle') {
  if (style === 'rle' && toRegions(mask).some(({ holes }) => holes.length > 0))
    return { size: [mask.height, mask.width], counts: encodeCounts(mask) };
  return pieceRings(mask);
}

type Row = Record<string, unknown>;

const DOCUMENT = /(?:^|\/)(train|val|test)\.json$/;

const rowsOf = (document: unknown, field: string): Row[] =>
  asRecords(typeof document === 'object' && document !== null ? (document as Row)[field] : undefined);

/** The release is known by its forty categories, numbered from 0. */
const isRelease = (document: unknown, table: IdTable): boolean => {
  const categories = rowsOf(document, 'categories');
  return (
    categories.length === table.entries.length &&
    categories.every(({ id, supercategory }) => table.ofCategory(id as number)?.className === supercategory)
  );
};

const documentsOf = (tree: SourceTree) =>
  findPaths(tree, DOCUMENT).filter((path) => !/(^|\/)(PartBoxSegmentations|annotations)\//.test(path));

async function detect(tree: SourceTree): Promise<Detection | null> {
  const table = await readIdTable(tree).catch(() => partImageNetTable(partImageNet));
  // Other formats include a schema file, too.
  if (!table.isOriginal && !tree.paths.some((path) => baseName(path) === 'ids.json')) return null;
  for (const path of documentsOf(tree).slice(0, 3)) {
    const document = await tryJson(tree, path);
    if (!isRelease(document, table)) continue;
    return {
      certainty: 0.96,
      because: `${path} has ${rowsOf(document, 'images').length} images and the ${table.entries.length} part categories of PartImageNet`,
    };
  }
  return null;
}

async function read(tree: SourceTree): Promise<Source> {
  const notes = new Notes();
  const table = await readIdTable(tree);
  return {
    schema: table.schema,
    notes: notes.list,
    async *images() {
      const pictures = new PicturePaths(tree);
      for (const path of documentsOf(tree)) {
        const document = await readJson(tree, path);
        if (isRelease(document, table)) yield* imagesOf(tree, path, document, table, pictures, notes);
        else notes.add('files are no PartImageNet and were left out', path);
      }
    },
  };
}

function* imagesOf(
  tree: SourceTree,
  path: string,
  document: unknown,
  table: IdTable,
  pictures: PicturePaths,
  notes: Notes,
): Generator<SourceImage> {
  const split = DOCUMENT.exec(path)?.[1] ?? null;
  const byImage = groupBy(rowsOf(document, 'annotations'), ({ image_id }) => String(image_id));
  for (const row of rowsOf(document, 'images')) {
    const name = typeof row.file_name === 'string' ? row.file_name : '';
    const found = pictures.find(name, split ?? '');
    const size = parseSize(row.width, row.height);
    if (!found || !size) {
      notes.add('images whose picture or size is missing were left out', name || String(row.id));
      continue;
    }
    const objects = objectsOf(byImage.get(String(row.id)) ?? [], table, size, name, notes);
    const wnid = /^n\d{8}/.exec(name)?.[0] ?? null;
    yield {
      ...emptyImage(tree, found, split),
      ...size,
      wnid,
      groupKey: wnid,
      className: objects[0]?.className ?? table.classOfWnid(wnid ?? '') ?? null,
      objects,
      hasMasks: objects.length > 0,
    };
  }
}

/** Which parts are of one animal is not said: those of a super-class make one object. */
function objectsOf(
  rows: readonly Row[],
  table: IdTable,
  size: { width: number; height: number },
  name: string,
  notes: Notes,
): ObjectLabel[] {
  const objects = new Map<string, ObjectLabel>();
  for (const row of rows) {
    const part = table.ofCategory(row.category_id as number);
    if (!part) {
      notes.add('annotations whose category is not listed were left out', name);
      continue;
    }
    const mask = maskOf(row, size, name, notes);
    if (!mask) continue;
    const { className, partId } = part;
    const object = objects.get(className) ?? {
      className,
      instance: objects.size + 1,
      outline: null,
      parts: [],
      absent: [],
    };
    objects.set(className, object);
    object.parts.push({ ...importProvenance, id: partId, mask });
  }
  // Four tyres are four annotations of one part.
  return [...objects.values()].map((object) => ({ ...object, parts: mergeById(object.parts) }));
}

/** The release has polygons of two points, which mean their box, and parts of area 0, which mean nothing. */
function maskOf(row: Row, size: PictureSize, name: string, notes: Notes): Mask | null {
  const { width, height } = size;
  try {
    const { segmentation, bbox } = row;
    const isLine =
      Array.isArray(segmentation) && segmentation.every((ring) => Array.isArray(ring) && ring.length < 6);
    const isBox = Array.isArray(bbox) && bbox.length === 4 && bbox.every((value) => Number.isFinite(value));
    const mask =
      isLine && isBox
        ? rasterizeBox(bbox as [number, number, number, number], height, width)
        : parseSegmentation(withoutLines(segmentation), size);
    if (isLine && isBox) notes.add('polygons of two points were read as their box', name);
    if (mask.toggles.length > 1) return mask;
    notes.add('annotations of area 0 were left out', name);
  } catch (error) {
    notes.add(`annotations were left out: their mask ${describeMaskError(error)}`, name);
  }
  return null;
}

const withoutLines = (segmentation: unknown): unknown =>
  Array.isArray(segmentation)
    ? segmentation.filter((ring) => Array.isArray(ring) && ring.length >= 6)
    : segmentation;
