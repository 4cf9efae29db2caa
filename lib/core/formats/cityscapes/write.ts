import { ringArea } from '@/lib/core/geometry';
import { type Mask, toRegions } from '@/lib/core/mask';
import { encodeLabelPng } from '../codecs/label-png';
import { type PaintLayer, paintMap } from '../codecs/paint';
import { encodePng } from '../codecs/png';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { excludeUndrawn } from '../shared/check-part-layout';
import { objectMask, splitLabelMap } from '../shared/part-layers';
import { cityOf, coreName } from '../shared/street';
import { streetLabel, streetLabels } from './read';

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  for await (const image of excludeUndrawn(dataset).dataset.images()) {
    const core = coreName(image);
    const folder = `${image.split}/${cityOf(core)}/${core}`;
    const { width, height } = image;
    yield {
      path: `leftImg8bit/${folder}_leftImg8bit.png`,
      bytes: () => pictures.encode(image, { format: 'png' }),
    };
    const layers = () => instanceLayers(image, options.instances === 'per-image');
    const labels = () => layers().map(({ mask, value }) => ({ mask, value: labelAt(value) }));
    const file = (suffix: string, bytes: () => Uint8Array) => ({
      path: `gtFine/${folder}_gtFine_${suffix}`,
      bytes,
    });
    yield file('instanceIds.png', () => encodeLabelPng(layers(), width, height, 'grey-16'));
    yield file('labelIds.png', () => encodeLabelPng(labels(), width, height, 'grey-8'));
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
  const visible = [...splitLabelMap(map, width, height)].map(([value, mask]) => ({
    label: streetLabels[labelAt(value)]?.name ?? 'unlabeled',
    mask,
  }));
  const document = { imgHeight: height, imgWidth: width, objects: polygonsOf(visible) };
  return new TextEncoder().encode(`${JSON.stringify(document)}\n`);
}

interface StreetPolygon {
  label: string;
  polygon: [number, number][];
}

interface Piece extends StreetPolygon {
  size: number;
  isHole: boolean;
}

/**
 * Polygons that Cityscapes' own tools, whose fill includes the border, turn into the same pixels. A ring runs through the
 * middle of the outermost pixels. Tools paint in the order of the list, so what encloses comes first; a hole is painted as
 * "unlabeled" and what lies in it after that.
 */
export function polygonsOf(visible: readonly { label: string; mask: Mask }[]): StreetPolygon[] {
  const pieces: Piece[] = visible.flatMap(({ label, mask }) =>
    toRegions(mask).flatMap(({ outer, holes }) => [
      piece(label, outer, false),
      ...holes.map((hole) => piece('unlabeled', reversedRing(hole), true)),
    ]),
  );
  return pieces
    .sort((a, b) => b.size - a.size || Number(b.isHole) - Number(a.isHole))
    .map(({ label, polygon }) => ({ label, polygon }));
}

const piece = (label: string, ring: readonly number[], isHole: boolean): Piece => ({
  label,
  polygon: throughPixels(ring),
  size: Math.abs(ringArea(ring)),
  isHole,
});

function reversedRing(ring: readonly number[]): number[] {
  const points: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) points.push(ring[i] as number, ring[i + 1] as number);
  return points;
}

/**
 * A ring along pixel corners, clockwise on screen, moved into the pixels on its right: an edge that runs left or down has
 * them on the lower side of its coordinate.
 */
function throughPixels(ring: readonly number[]): [number, number][] {
  const count = ring.length / 2;
  const at = (i: number) => {
    const k = ((i + count) % count) * 2;
    return [ring[k] as number, ring[k + 1] as number] as const;
  };
  return Array.from({ length: count }, (_, i) => {
    const [before, here, after] = [at(i - 1), at(i), at(i + 1)];
    const [flat, steep] =
      before[1] === here[1]
        ? [here[0] - before[0], after[1] - here[1]]
        : [after[0] - here[0], here[1] - before[1]];
    return [steep > 0 ? here[0] - 1 : here[0], flat > 0 ? here[1] : here[1] - 1];
  });
}
