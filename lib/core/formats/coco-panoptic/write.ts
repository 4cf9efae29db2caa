import { area, boundingBox, difference, isEmpty, MAX_LABEL, type Mask, union } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { categoriesOf, images } from '../coco/write';
import { encodeLabelPng } from '../codecs/label-png';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { type Annotation, listAnnotations } from '../shared/annotations';
import { createLabelTable, type LabelTable, schemaFile } from '../shared/vocabulary';
import {
  fileNameOf,
  type NumberedImage,
  numberImages,
  pictureFile,
  stemOf,
  streamJsonArray,
} from '../shared/write-files';

const jsonPath = (split: string): string => `annotations/panoptic_${split}.json`;

const pngPath = (split: string, stem: string): string => `annotations/panoptic_${split}/${stem}.png`;

const imagePath = (split: string, name: string): string => `images/${split}/${name}`;

export const splitOfPath = (path: string): string | null =>
  /(?:^|\/)panoptic_([^/]+)\.json$/.exec(path)?.[1] ?? null;

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = createLabelTable(dataset.schema);
  const imagesOf = numberImages(dataset, () => 0);
  yield schemaFile(dataset.schema);
  for (const split of dataset.splits)
    yield { path: jsonPath(split), chunks: () => document(dataset, () => imagesOf(split), table) };
  for await (const image of dataset.images()) {
    const name = fileNameOf(image);
    yield pictureFile(imagePath(image.split, name), image, pictures);
    yield { path: pngPath(image.split, stemOf(name)), bytes: () => map(image, dataset) };
  }
}

/** Id = red + 256 · green + 65536 · blue; black is nothing. */
function map(image: DatasetImage, { schema }: Dataset): Uint8Array {
  const layers = layersOf(image, schema).map(({ mask }, index) => ({ mask, value: index + 1 }));
  return encodeLabelPng(layers, image.width, image.height, 'rgb');
}

async function* document(dataset: Dataset, imagesOf: () => AsyncIterable<NumberedImage>, table: LabelTable) {
  yield `{"info":${JSON.stringify({ description: dataset.name, version: dataset.hash })},\n`;
  yield `"licenses":${JSON.stringify([{ id: 1, name: dataset.licence, url: '' }])},\n"images":`;
  yield* streamJsonArray(images(imagesOf()));
  yield ',\n"annotations":';
  yield* streamJsonArray(annotations(imagesOf(), dataset, table));
  yield ',\n"categories":';
  yield* streamJsonArray(panopticCategories(dataset, table));
  yield '}\n';
}

async function* annotations(
  numberedImages: AsyncIterable<NumberedImage>,
  { schema }: Dataset,
  table: LabelTable,
) {
  for await (const { image, imageId } of numberedImages)
    yield {
      image_id: imageId,
      file_name: `${stemOf(fileNameOf(image))}.png`,
      segments_info: segmentsOf(image, schema).map(({ id, annotation, mask }) => ({
        id,
        category_id: table.indexOf(annotation) + 1,
        area: area(mask),
        bbox: boundingBox(mask),
        iscrowd: annotation.flags?.includes('crowd') ? 1 : 0,
        instance: annotation.instance,
      })),
    };
}

/** Loaders number things and stuff apart; parts and attributes count as things. */
function panopticCategories(dataset: Dataset, table: LabelTable) {
  const isStuff = (index: number) => {
    const label = table.labels[index];
    const entry = dataset.schema.classes.find(({ id }) => label?.kind === 'object' && id === label.id);
    return entry?.kind === 'stuff';
  };
  return categoriesOf(dataset, table).map((category, index) => ({
    ...category,
    isthing: isStuff(index) ? 0 : 1,
  }));
}

interface Segment {
  /** From 1, within the image; the colour of its pixels. */
  id: number;
  annotation: Annotation;
  /** What is left of its mask where others lie on top. */
  mask: Mask;
}

/** Objects below, the first of them topmost; parts above them by their z-order. Attributes have no place. */
function layersOf(image: DatasetImage, schema: DatasetSchema): Annotation[] {
  const zOrders = new Map(schema.parts.map(({ id, zOrder }) => [id, zOrder]));
  const height = ({ kind, id }: Annotation) =>
    kind === 'object' ? Number.NEGATIVE_INFINITY : (zOrders.get(id) ?? 0);
  return listAnnotations(image)
    .filter(({ kind }) => kind !== 'attribute')
    .slice(0, MAX_LABEL)
    .map((annotation, index) => ({ annotation, index }))
    .sort((a, b) => {
      const [low, high] = [height(a.annotation), height(b.annotation)];
      return low === high ? b.annotation.instance - a.annotation.instance || a.index - b.index : low - high;
    })
    .map(({ annotation }) => annotation);
}

/** What is left of each mask where others lie on top; what is covered wholly is no segment. */
function segmentsOf(image: DatasetImage, schema: DatasetSchema): Segment[] {
  let covered: Mask | null = null;
  const segments: Segment[] = [];
  const layers = layersOf(image, schema);
  for (let index = layers.length - 1; index >= 0; index--) {
    const annotation = layers[index] as Annotation;
    const mask: Mask = covered ? difference(annotation.mask, covered) : annotation.mask;
    if (!isEmpty(mask)) segments.push({ id: index + 1, annotation, mask });
    covered = covered ? union(covered, annotation.mask) : annotation.mask;
  }
  return segments.reverse();
}
