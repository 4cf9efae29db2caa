import { encodeTiff } from '../codecs/tiff';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { excludeUndrawn } from '../shared/check-part-layout';
import { schemaCodes, uidLayers, uidMap, writeDatasetSpec } from '../shared/panoptic-parts';
import { zOrdersOf } from '../shared/part-layers';
import { schemaFile } from '../shared/vocabulary';
import { stemOf } from '../shared/write-files';
import { type Crop, cropsOf, cutMap } from './crops';
import { layoutOf, type StreetLayout } from './layout';

export const SPLITS = ['train', 'val', 'test'] as const;

const pictureFolder = (split: string, group: string): string => `images/${split}/${group}/`;

const mapFolder = (split: string, group: string): string => `panoptic-parts/${split}/${group}/`;

const PICTURE = /(?:^|\/)images\/(train|val|test)\/([^/]+)\/([^/]+)\.png$/;

/** The split and the class folder of a picture of the layout. */
export function placeOf(path: string, { groups }: StreetLayout): { split: string; group: string } | null {
  const [, split = '', group = ''] = PICTURE.exec(path) ?? [];
  return groups.includes(group) ? { split, group } : null;
}

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  const zOrders = zOrdersOf(dataset.schema);
  const layout = layoutOf(dataset.schema);
  if (!layout.isOriginal) {
    yield schemaFile(dataset.schema);
    const { spec } = schemaCodes(dataset.schema);
    yield { path: 'datasetspec.yaml', bytes: () => writeDatasetSpec(dataset.name, spec) };
  }
  // Classes are numbered by the folders that are there, split by split.
  for (const split of SPLITS)
    for (const group of layout.groups) {
      yield { path: pictureFolder(split, group) };
      yield { path: mapFolder(split, group) };
    }
  for await (const image of excludeUndrawn(dataset).dataset.images()) {
    const layers = uidLayers(image, layout.codes, zOrders);
    const labels = options.labels === 'boxes' ? boxMap(image, layers) : uidMap(image, layers);
    if (options.crops)
      for (const crop of cropsOf(image, options, zOrders, layout))
        yield* cutFiles(image, labels, crop, layout, pictures);
    else yield* wholeFiles(image, labels, layout, pictures);
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
  layout: StreetLayout,
  pictures: Pictures,
): Generator<FormatFile> {
  const group = layout.objects.get(sid)?.group ?? '';
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

function* wholeFiles(
  image: DatasetImage,
  labels: Int32Array,
  layout: StreetLayout,
  pictures: Pictures,
): Generator<FormatFile> {
  const group = layout.groupOf(image.className ?? '');
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
