import { encodeTiff } from '../codecs/tiff';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { excludeUndrawn } from '../shared/check-part-layout';
import { uidLayers, uidMap } from '../shared/panoptic-parts';
import { zOrdersOf } from '../shared/part-layers';
import { streetCodes, superclassOf } from '../shared/street';
import { stemOf } from '../shared/write-files';
import { type Crop, cropsOf, cutMap } from './crops';

export const SPLITS = ['train', 'val', 'test'] as const;

const GROUPS = ['human', 'vehicle'] as const;

const pictureFolder = (split: string, group: string): string => `images/${split}/${group}/`;

const mapFolder = (split: string, group: string): string => `panoptic-parts/${split}/${group}/`;

export const PICTURE = /(?:^|\/)images\/(train|val|test)\/(human|vehicle)\/([^/]+)\.png$/;

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  const zOrders = zOrdersOf(dataset.schema);
  // Classes are numbered by the folders that are there, split by split.
  for (const split of SPLITS)
    for (const group of GROUPS) {
      yield { path: pictureFolder(split, group) };
      yield { path: mapFolder(split, group) };
    }
  for await (const image of excludeUndrawn(dataset).dataset.images()) {
    const layers = uidLayers(image, streetCodes, zOrders);
    const labels = options.labels === 'boxes' ? boxMap(image, layers) : uidMap(image, layers);
    if (options.crops)
      for (const crop of cropsOf(image, options, zOrders)) yield* cutFiles(image, labels, crop, pictures);
    else yield* wholeFiles(image, labels, pictures);
  }
}

/** Parts only; of boxes that overlap the one with the lowest number keeps the pixel, as in the paper. */
function boxMap(image: DatasetImage, layers: ReturnType<typeof uidLayers>): Int32Array {
  const parts = layers.filter(({ value }) => value > 99_999);
  return uidMap(
    image,
    [...parts].sort((a, b) => b.value - a.value),
  );
}

function* cutFiles(
  image: DatasetImage,
  labels: Int32Array,
  { sid, iid, frame }: Crop,
  pictures: Pictures,
): Generator<FormatFile> {
  const group = superclassOf(streetCodes.className(sid) ?? '');
  const { width, height } = frame;
  const inner = image.picture.window;
  const cut: DatasetImage = {
    ...image,
    width,
    height,
    picture: {
      ...image.picture,
      window: { width, height, x: frame.x + (inner?.x ?? 0), y: frame.y + (inner?.y ?? 0) },
    },
  };
  // The class is in the name because instances are counted per class in other datasets.
  const stem = `${stemOf(image.name)}_${sid}${String(iid).padStart(3, '0')}`;
  yield {
    path: `${pictureFolder(image.split, group)}${stem}.png`,
    bytes: () => pictures.encode(cut, { format: 'png' }),
  };
  yield {
    path: `${mapFolder(image.split, group)}${stem}.tif`,
    bytes: () => encodeTiff({ width, height, pixels: cutMap(labels, image.width, image.height, frame) }),
  };
}

function* wholeFiles(image: DatasetImage, labels: Int32Array, pictures: Pictures): Generator<FormatFile> {
  const group = superclassOf(image.className ?? '');
  const { width, height } = image;
  yield {
    path: `${pictureFolder(image.split, group)}${stemOf(image.name)}.png`,
    bytes: () => pictures.encode(image, { format: 'png' }),
  };
  yield {
    path: `${mapFolder(image.split, group)}${stemOf(image.name)}.tif`,
    bytes: () => encodeTiff({ width, height, pixels: labels }),
  };
}
