import { area, boundingBox } from '@/lib/core/mask';
import { partImageNet } from '@/lib/core/schema/presets';
import { noMap, packedMap } from '../codecs/packed-map';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { jsonArray } from '../general/json-stream';
import { jpegFile } from '../general/picture-file';
import { stemOf } from '../names';
import { isLabelled } from '../tessera/is-labelled';
import { partLayers, zOrdersOf } from '../tessera/layers';
import { boxesPath, classFolder, lineOf, listPath, maskFolder, picturePath, SPLITS } from './paths';

/** Ids of the masks, 1 to 40: classes in the order of the alphabet, parts as in the release. */
const maskIds = new Map(partImageNet.parts.map(({ id, codes }) => [id, codes?.mask as number]));
const categories = new Map(partImageNet.parts.map(({ id, codes }) => [id, codes?.coco as number]));
const classNames = partImageNet.classes.map(({ id }) => id).sort();

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  const root = maskFolder(options.labels === 'boxes');
  const zOrders = zOrdersOf(dataset.schema);
  // The code numbers classes by the folders that it finds, split by split: all of them, always.
  for (const split of SPLITS) for (const name of classNames) yield { path: classFolder(root, split, name) };
  // A line per image is all that is kept: reading the dataset anew for each of 33 lists would take longer than all else.
  const lists = new Map<string, string>();
  for await (const image of dataset.images()) {
    const list = listPath(root, image.split, image.className ?? '');
    lists.set(list, `${lists.get(list) ?? ''}${lineOf(image)}\n`);
    yield jpegFile(picturePath(image), image, pictures);
    yield {
      path: `${classFolder(root, image.split, image.className ?? '')}${stemOf(image.name)}.tif`,
      bytes: () => maskFile(image, zOrders),
    };
  }
  for (const split of SPLITS)
    for (const name of classNames) {
      const path = listPath(root, split, name);
      const lines = lists.get(path) ?? '';
      yield { path, bytes: () => new TextEncoder().encode(lines) };
    }
  for (const split of SPLITS) yield { path: boxesPath(split), chunks: () => boxes(dataset, split) };
}

function maskFile(image: DatasetImage, zOrders: ReadonlyMap<string, number>): Uint8Array {
  const { width, height } = image;
  if (!isLabelled(image)) return noMap(width, height);
  const layers = partLayers(image, zOrders).map(({ part: { id, mask } }) => ({
    mask,
    value: maskIds.get(id) as number,
  }));
  return packedMap(layers, width, height);
}

/** Boxes of the parts, for the variant of the code that detects; all of an image are of its class. */
async function* boxes(dataset: Dataset, split: string) {
  yield '{"images":';
  yield* jsonArray(images(dataset, split));
  yield ',\n"annotations":';
  yield* jsonArray(annotations(dataset, split));
  yield ',\n"categories":';
  yield* jsonArray(
    partImageNet.parts.map(({ id, classes }) => ({
      id: categories.get(id),
      name: id,
      supercategory: classes[0],
    })),
  );
  yield '}\n';
}

async function* images(dataset: Dataset, split: string) {
  let id = 0;
  for await (const image of dataset.images()) {
    id += 1;
    const { width, height } = image;
    if (image.split === split && isLabelled(image))
      yield { id, file_name: `${lineOf(image)}.JPEG`, width, height };
  }
}

async function* annotations(dataset: Dataset, split: string) {
  let imageId = 0;
  let id = 0;
  for await (const image of dataset.images()) {
    imageId += 1;
    if (image.split !== split || !isLabelled(image)) continue;
    for (const object of image.objects) {
      if (object.className !== image.className) continue;
      for (const part of object.parts) {
        const size = area(part.mask);
        if (size === 0) continue;
        id += 1;
        yield {
          id,
          image_id: imageId,
          category_id: categories.get(part.id),
          bbox: boundingBox(part.mask),
          area: size,
          iscrowd: 0,
        };
      }
    }
  }
}
