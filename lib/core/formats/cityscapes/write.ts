import { labelPng } from '../codecs/label-png';
import { encodePng } from '../codecs/png';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { type PaintLayer, paintMap } from '../paint';
import { keepDrawn } from '../tessera/is-labelled';
import { masksOfMap, objectMask } from '../tessera/layers';
import { cityOf, coreName } from '../tessera/street-names';
import { streetLabel, streetLabels } from './labels';
import { polygonsOf } from './polygons';

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  for await (const image of keepDrawn(dataset).dataset.images()) {
    const core = coreName(image);
    const folder = `${image.split}/${cityOf(core)}/${core}`;
    const { width, height } = image;
    yield {
      path: `leftImg8bit/${folder}_leftImg8bit.png`,
      bytes: () => pictures.coded(image, { format: 'png' }),
    };
    const layers = () => instanceLayers(image, options.instances === 'per-image');
    const labels = () => layers().map(({ mask, value }) => ({ mask, value: labelAt(value) }));
    const file = (suffix: string, bytes: () => Uint8Array) => ({
      path: `gtFine/${folder}_gtFine_${suffix}`,
      bytes,
    });
    yield file('instanceIds.png', () => labelPng(layers(), width, height, 'grey-16'));
    yield file('labelIds.png', () => labelPng(labels(), width, height, 'grey-8'));
    yield file('color.png', () => colours(image, labels()));
    yield file('polygons.json', () => polygonFile(image, layers()));
  }
}

const labelAt = (value: number) => (value >= 1000 ? Math.floor(value / 1000) : value);

/** From the back to the front: id, or id · 1000 and a number where instances are counted. */
function instanceLayers(image: DatasetImage, perImage: boolean): PaintLayer[] {
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
  return layers.reverse();
}

/** Opaque colours of the classes, for looking at. */
function colours({ width, height }: DatasetImage, labels: readonly PaintLayer[]): Uint8Array {
  const pixels = new Uint8Array(4 * width * height);
  paintMap(labels, width, height, 8).forEach((id, i) => {
    const [red, green, blue] = streetLabels[id]?.colour ?? [0, 0, 0];
    pixels[4 * i] = red;
    pixels[4 * i + 1] = green;
    pixels[4 * i + 2] = blue;
    pixels[4 * i + 3] = 255;
  });
  return encodePng({ width, height, channels: 4, depth: 8, pixels });
}

function polygonFile({ width, height }: DatasetImage, layers: readonly PaintLayer[]): Uint8Array {
  const map = paintMap(layers, width, height, 16);
  const visible = [...masksOfMap(map, width, height)].map(([value, mask]) => ({
    label: streetLabels[labelAt(value)]?.name ?? 'unlabeled',
    mask,
  }));
  const document = { imgHeight: height, imgWidth: width, objects: polygonsOf(visible) };
  return new TextEncoder().encode(`${JSON.stringify(document)}\n`);
}
