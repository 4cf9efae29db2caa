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

const imagePath = (split: string, name: string): string => `${split}/${name}`;

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
  yield* streamJsonArray(categoriesOf(dataset, table).map((category) => ({ ...category, isthing: 1 })));
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
      segments_info: segmentsOf(image, schema).map(({ id, thing, mask }) => ({
        id,
        category_id: table.indexOf(thing) + 1,
        area: area(mask),
        bbox: boundingBox(mask),
        iscrowd: 0,
        instance: thing.instance,
      })),
    };
}

interface Segment {
  /** From 1, within the image; the colour of its pixels. */
  id: number;
  thing: Annotation;
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
    .map((thing, index) => ({ thing, index }))
    .sort((a, b) => {
      const [low, high] = [height(a.thing), height(b.thing)];
      return low === high ? b.thing.instance - a.thing.instance || a.index - b.index : low - high;
    })
    .map(({ thing }) => thing);
}

/** What is left of each mask where others lie on top; what is covered wholly is no segment. */
function segmentsOf(image: DatasetImage, schema: DatasetSchema): Segment[] {
  let covered: Mask | null = null;
  const segments: Segment[] = [];
  const layers = layersOf(image, schema);
  for (let index = layers.length - 1; index >= 0; index--) {
    const thing = layers[index] as Annotation;
    const mask: Mask = covered ? difference(thing.mask, covered) : thing.mask;
    if (!isEmpty(mask)) segments.push({ id: index + 1, thing, mask });
    covered = covered ? union(covered, thing.mask) : thing.mask;
  }
  return segments.reverse();
}
