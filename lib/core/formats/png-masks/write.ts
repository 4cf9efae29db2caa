import { area } from '@/lib/core/mask';
import type { Dataset } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { factsOf } from '../general/facts';
import { maskPng } from '../general/mask-png';
import { pictureFile } from '../general/picture-file';
import { schemaFile } from '../general/sidecar';
import { thingsOf } from '../general/things';
import { csvLine } from '../markup/csv';
import { fileNameOf, stemOf } from '../names';
import { IMAGES_PATH, imageColumns, imagePath, MASKS_PATH, maskColumns, maskPath } from './paths';

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  yield schemaFile(dataset.schema);
  yield { path: IMAGES_PATH, chunks: () => imageRows(dataset) };
  yield { path: MASKS_PATH, chunks: () => maskRows(dataset) };
  for await (const image of dataset.images()) {
    const name = fileNameOf(image);
    yield pictureFile(imagePath(image.split, name), image, pictures);
    for (const [index, { mask }] of thingsOf(image).entries())
      yield { path: maskPath(image.split, stemOf(name), index), bytes: () => maskPng(mask, 255) };
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
      JSON.stringify(factsOf(image)),
    ]);
}

async function* maskRows(dataset: Dataset) {
  yield csvLine(maskColumns);
  for await (const image of dataset.images()) {
    const name = fileNameOf(image);
    for (const [index, { kind, id, instance, mask, source, confidence }] of thingsOf(image).entries())
      yield csvLine([
        imagePath(image.split, name),
        maskPath(image.split, stemOf(name), index),
        kind,
        id,
        instance,
        area(mask),
        source,
        confidence,
      ]);
  }
}
