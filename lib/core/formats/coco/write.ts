import { area, boundingBox, encodeCounts, type Mask, toRegions } from '@/lib/core/mask';
import type { Dataset } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { countAnnotations, listAnnotations } from '../shared/annotations';
import { toFacts } from '../shared/image-record';
import { createLabelTable, type LabelTable, schemaFile } from '../shared/vocabulary';
import {
  fileNameOf,
  type NumberedImage,
  numberImages,
  pictureFile,
  streamJsonArray,
} from '../shared/write-files';

/** As the dataset's own releases are laid out. */
const annotationsPath = (split: string): string => `annotations/instances_${split}.json`;

const imagePath = (split: string, name: string): string => `${split}/${name}`;

/** The split that `annotationsPath` was given. */
export const splitOfPath = (path: string): string | null =>
  /(?:^|\/)instances_([^/]+)\.json$/.exec(path)?.[1] ?? null;

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  const table = createLabelTable(dataset.schema);
  const imagesOf = numberImages(dataset, countAnnotations);
  yield schemaFile(dataset.schema);
  for (const split of dataset.splits)
    yield {
      path: annotationsPath(split),
      chunks: () => document(dataset, () => imagesOf(split), table, options.segmentation === 'polygons'),
    };
  for await (const image of dataset.images())
    yield pictureFile(imagePath(image.split, fileNameOf(image)), image, pictures);
}

type Images = () => AsyncIterable<NumberedImage>;

async function* document(dataset: Dataset, imagesOf: Images, table: LabelTable, polygons: boolean) {
  yield `{"info":${JSON.stringify({ description: dataset.name, version: dataset.hash })},\n`;
  yield `"licenses":${JSON.stringify([{ id: 1, name: dataset.licence, url: '' }])},\n"images":`;
  yield* streamJsonArray(images(imagesOf()));
  yield ',\n"annotations":';
  yield* streamJsonArray(annotations(imagesOf(), table, polygons));
  yield ',\n"categories":';
  yield* streamJsonArray(categoriesOf(dataset, table));
  yield '}\n';
}

/** Numbers from 1: some tools take 0 for "none". */
export const categoriesOf = ({ schema }: Dataset, table: LabelTable) =>
  table.labels.map(({ name, kind, id, parent }, index) => ({
    id: index + 1,
    name,
    supercategory:
      kind === 'object' ? (schema.classes.find((entry) => entry.id === id)?.superclass ?? '') : parent,
  }));

export async function* images(numberedImages: AsyncIterable<NumberedImage>) {
  for await (const { image, imageId: id } of numberedImages) {
    const { width, height } = image;
    yield { id, file_name: fileNameOf(image), width, height, license: 1, tessera: toFacts(image) };
  }
}

async function* annotations(
  numberedImages: AsyncIterable<NumberedImage>,
  table: LabelTable,
  polygons: boolean,
) {
  for await (const { image, imageId, before } of numberedImages) {
    let id = before;
    for (const thing of listAnnotations(image)) {
      id += 1;
      yield {
        id,
        image_id: imageId,
        category_id: table.indexOf(thing) + 1,
        segmentation: segmentationOf(thing.mask, polygons),
        area: area(thing.mask),
        bbox: boundingBox(thing.mask),
        iscrowd: 0,
        instance: thing.instance,
        source: thing.source,
        confidence: thing.confidence,
      };
    }
  }
}

/** Rings along pixel corners give the same mask by COCO's rule; holes are beyond polygons and stay runs. */
function segmentationOf(mask: Mask, polygons: boolean) {
  if (polygons) {
    const regions = toRegions(mask);
    if (regions.length > 0 && regions.every(({ holes }) => holes.length === 0))
      return regions.map(({ outer }) => outer);
  }
  return { size: [mask.height, mask.width], counts: encodeCounts(mask) };
}
