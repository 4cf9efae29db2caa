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
import type { Dataset, DatasetImage, ObjectLabel } from './dataset';
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
import { mergeById } from './shared/annotations';
import { toCheck } from './shared/check';
import { checkPartLayout, type LayoutRules, layoutLosses } from './shared/check-part-layout';
import {
  asRecords,
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

async function* write(dataset: Dataset, _options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const documentOf = documents(dataset, partMasks, partCategories);
  for (const split of releaseRules.splits ?? [])
    yield { path: `${split}.json`, chunks: () => documentOf(split) };
  for await (const image of dataset.images())
    yield jpegFile(`${image.split}/${image.wnid}/${releaseName(image)}`, image, pictures);
}

export const format: Format = {
  id: 'part-imagenet',
  name: 'PartImageNet',
  summary:
    'The original release: a COCO file per split with polygons of 40 parts, and pictures by WordNet id.',
  kind: 'own layout',
  options: [],
  async check(dataset, options) {
    return toCheck(await checkPartLayout(dataset, releaseRules, options), [
      'The class of an image is that of its parts: an image without parts has none.',
      'Masks with holes are written as runs, which the release itself never has.',
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

const categoryOf = new Map(partImageNet.parts.map(({ id, codes }) => [id, codes?.coco as number]));

/** Parts of all objects, numbered 0 to 39 as in the release. */
export const partMasks = (image: DatasetImage): ReleaseMask[] =>
  image.objects.flatMap(({ parts }) =>
    parts.map(({ id, mask }) => ({ category: categoryOf.get(id) as number, mask })),
  );

export const partCategories = partImageNet.parts.map(({ id, classes, codes }) => ({
  id: codes?.coco,
  name: id,
  supercategory: classes[0],
}));

type MasksOf = (image: DatasetImage) => readonly ReleaseMask[];

/** COCO files by split. Ids go through all splits, because the part-model code pools the three files. */
export function documents(
  dataset: Dataset,
  masksOf: MasksOf,
  categories: readonly unknown[],
): (split: string) => AsyncGenerator<string> {
  const drawnIn = (image: DatasetImage) =>
    image.hasMasks ? masksOf(image).filter(({ mask }) => !isEmpty(mask)) : [];
  const imagesOf = numberImages(dataset, (image) => drawnIn(image).length);
  return async function* (split) {
    yield '{"images":';
    yield* streamJsonArray(images(imagesOf(split)));
    yield ',\n"annotations":';
    yield* streamJsonArray(annotations(imagesOf(split), drawnIn));
    yield ',\n"categories":';
    yield* streamJsonArray(categories);
    yield '}\n';
  };
}

async function* images(numberedImages: AsyncIterable<NumberedImage>) {
  for await (const { image, imageId: id } of numberedImages)
    yield { id, file_name: releaseName(image), height: image.height, width: image.width };
}

async function* annotations(numberedImages: AsyncIterable<NumberedImage>, masksOf: MasksOf) {
  for await (const { image, imageId, before } of numberedImages) {
    let id = before;
    for (const { category, mask } of masksOf(image)) {
      id += 1;
      yield {
        id,
        image_id: imageId,
        category_id: category,
        segmentation: segmentationOf(mask),
        bbox: boundingBox(mask),
        area: area(mask),
        iscrowd: 0,
      };
    }
  }
}

/** Rings along pixel corners give the same pixels by COCO's rule; holes are beyond polygons and are written as runs. */
function segmentationOf(mask: Mask) {
  const regions = toRegions(mask);
  if (regions.every(({ holes }) => holes.length === 0)) return regions.map(({ outer }) => outer);
  return { size: [mask.height, mask.width], counts: encodeCounts(mask) };
}

type Row = Record<string, unknown>;

const DOCUMENT = /(?:^|\/)(train|val|test)\.json$/;
const partOf = new Map(partImageNet.parts.map((part) => [part.codes?.coco as number, part]));
const classOfWnid = new Map(
  partImageNet.classes.flatMap(({ id, wnids }) => (wnids ?? []).map((wnid) => [wnid, id])),
);

const rowsOf = (document: unknown, field: string): Row[] =>
  asRecords(typeof document === 'object' && document !== null ? (document as Row)[field] : undefined);

/** The release is known by its forty categories, numbered from 0. */
const isRelease = (document: unknown): boolean => {
  const categories = rowsOf(document, 'categories');
  return (
    categories.length === partImageNet.parts.length &&
    categories.every(({ id, supercategory }) => partOf.get(id as number)?.classes[0] === supercategory)
  );
};

const documentsOf = (tree: SourceTree) =>
  findPaths(tree, DOCUMENT).filter((path) => !/(^|\/)(PartBoxSegmentations|annotations)\//.test(path));

async function detect(tree: SourceTree): Promise<Detection | null> {
  for (const path of documentsOf(tree).slice(0, 3)) {
    const document = await tryJson(tree, path);
    if (!isRelease(document)) continue;
    return {
      certainty: 0.96,
      because: `${path} has ${rowsOf(document, 'images').length} images and the 40 part categories of PartImageNet`,
    };
  }
  return null;
}

async function read(tree: SourceTree): Promise<Source> {
  const notes = new Notes();
  return {
    schema: partImageNet,
    notes: notes.list,
    async *images() {
      const pictures = new PicturePaths(tree);
      for (const path of documentsOf(tree)) {
        const document = await readJson(tree, path);
        if (isRelease(document)) yield* imagesOf(tree, path, document, pictures, notes);
        else notes.add('files are no PartImageNet and were left out', path);
      }
    },
  };
}

function* imagesOf(
  tree: SourceTree,
  path: string,
  document: unknown,
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
    const objects = objectsOf(byImage.get(String(row.id)) ?? [], size, name, notes);
    const wnid = /^n\d{8}/.exec(name)?.[0] ?? null;
    yield {
      ...emptyImage(tree, found, split),
      ...size,
      wnid,
      groupKey: wnid,
      className: objects[0]?.className ?? classOfWnid.get(wnid ?? '') ?? null,
      objects,
      hasMasks: objects.length > 0,
    };
  }
}

/** Which parts are of one animal is not said: those of a super-class make one object. */
function objectsOf(
  rows: readonly Row[],
  size: { width: number; height: number },
  name: string,
  notes: Notes,
): ObjectLabel[] {
  const objects = new Map<string, ObjectLabel>();
  for (const row of rows) {
    const part = partOf.get(row.category_id as number);
    const className = part?.classes[0];
    if (!part || !className) {
      notes.add('annotations whose category is not listed were left out', name);
      continue;
    }
    const mask = maskOf(row, size, name, notes);
    if (!mask) continue;
    const object = objects.get(className) ?? {
      className,
      instance: objects.size + 1,
      outline: null,
      parts: [],
      absent: [],
    };
    objects.set(className, object);
    object.parts.push({ ...importProvenance, id: part.id, mask });
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
