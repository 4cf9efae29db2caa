import { area, boundingBox } from '@/lib/core/mask';
import { categoriesOf, images } from '../coco/write';
import { labelPng } from '../codecs/label-png';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { jsonArray } from '../general/json-stream';
import { type LabelTable, labelTable } from '../general/label-table';
import { type Numbered, numbered } from '../general/numbered';
import { pictureFile } from '../general/picture-file';
import { schemaFile } from '../general/sidecar';
import { fileNameOf, stemOf } from '../names';
import { imagePath, jsonPath, pngPath } from './paths';
import { layersOf, segmentsOf } from './segments';

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = labelTable(dataset.schema);
  const imagesOf = numbered(dataset, () => 0);
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
  return labelPng(layers, image.width, image.height, 'rgb');
}

async function* document(dataset: Dataset, imagesOf: () => AsyncIterable<Numbered>, table: LabelTable) {
  yield `{"info":${JSON.stringify({ description: dataset.name, version: dataset.hash })},\n`;
  yield `"licenses":${JSON.stringify([{ id: 1, name: dataset.licence, url: '' }])},\n"images":`;
  yield* jsonArray(images(imagesOf()));
  yield ',\n"annotations":';
  yield* jsonArray(annotations(imagesOf(), dataset, table));
  yield ',\n"categories":';
  yield* jsonArray(categoriesOf(dataset, table).map((category) => ({ ...category, isthing: 1 })));
  yield '}\n';
}

async function* annotations(numberedImages: AsyncIterable<Numbered>, { schema }: Dataset, table: LabelTable) {
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
