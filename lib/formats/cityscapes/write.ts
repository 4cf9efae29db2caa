import { encodePng } from '../codecs/png';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { masksOfMap, objectMask } from '../own/layers';
import { cityOf, coreName } from '../own/street-names';
import { paintMap } from '../paint';
import { streetLabel, streetLabels } from './labels';
import { polygonsOf } from './polygons';

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  for await (const image of dataset.images()) {
    const core = coreName(image);
    const folder = `${image.split}/${cityOf(core)}/${core}`;
    const { width, height } = image;
    yield {
      path: `leftImg8bit/${folder}_leftImg8bit.png`,
      bytes: () => pictures.coded(image, { format: 'png' }),
    };
    // Four files are made from one map; the next image makes another.
    let kept: Uint16Array | undefined;
    const map = () => (kept ??= instanceMap(image, options.instances === 'per-image'));
    const labelAt = (value: number) => (value >= 1000 ? Math.floor(value / 1000) : value);
    const file = (suffix: string, bytes: () => Uint8Array) => ({
      path: `gtFine/${folder}_gtFine_${suffix}`,
      bytes,
    });
    yield file('instanceIds.png', () => encodePng({ width, height, channels: 1, depth: 16, pixels: map() }));
    yield file('labelIds.png', () =>
      encodePng({ width, height, channels: 1, depth: 8, pixels: Uint8Array.from(map(), labelAt) }),
    );
    yield file('color.png', () => {
      const pixels = new Uint8Array(4 * width * height);
      map().forEach((value, i) => {
        pixels.set(streetLabels[labelAt(value)]?.colour ?? [0, 0, 0], 4 * i);
        pixels[4 * i + 3] = 255;
      });
      return encodePng({ width, height, channels: 4, depth: 8, pixels });
    });
    yield file('polygons.json', () => polygonFile(image, map(), labelAt));
  }
}

/** id, or id · 1000 and a number where instances are counted. */
function instanceMap(image: DatasetImage, perImage: boolean): Uint16Array {
  const counts = new Map<number, number>();
  const layers = image.objects.flatMap((object) => {
    const label = streetLabel(object.className ?? '');
    const mask = objectMask(object);
    if (!label || !mask) return [];
    const count = counts.get(label.id) ?? 0;
    counts.set(label.id, count + 1);
    if (!label.hasInstances) return [{ mask, value: label.id }];
    return [{ mask, value: label.id * 1000 + (perImage ? object.instance : count) }];
  });
  return paintMap(layers.reverse(), image.width, image.height, 16);
}

function polygonFile(
  { width, height }: DatasetImage,
  map: Uint16Array,
  labelAt: (value: number) => number,
): Uint8Array {
  const visible = [...masksOfMap(map, width, height)].map(([value, mask]) => ({
    label: streetLabels[labelAt(value)]?.name ?? 'unlabeled',
    mask,
  }));
  const document = { imgHeight: height, imgWidth: width, objects: polygonsOf(visible) };
  return new TextEncoder().encode(`${JSON.stringify(document)}\n`);
}
