import { pascalPartGrouped } from '@/lib/core/schema/presets';
import { noMap, packedMap } from '../codecs/packed-map';
import type { Dataset, DatasetImage } from '../dataset';
import { groupParts } from '../derive';
import type { FormatFile, Options, Pictures } from '../format';
import { jpegFile } from '../general/picture-file';
import { stemOf } from '../names';
import type { PaintLayer } from '../paint';
import { isLabelled } from '../tessera/is-labelled';
import { maskFolder, pictureFolder, SPLITS } from './paths';

export async function* write(
  dataset: Dataset,
  _options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
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
  return packedMap(layers, width, height);
}
