import type { Head } from '../onnx/find-features';
import { CHANNELS, type Picture, type Region } from '../picture';
import { fillRegion } from '../pixels/compositing';
import { resizeBilinear } from '../pixels/resample';

/** Feature map: channels × height × width. */
export interface FeatureMap {
  channels: number;
  width: number;
  height: number;
  data: ArrayLike<number>;
}

/** Avoids division by zero; the value of pytorch-grad-cam. */
const EPSILON = 1e-7;

/**
 * Class activation map from channel weights: CAM with the weights of the linear head, Grad-CAM with mean gradients.
 */
export function classMap(features: FeatureMap, weights: ArrayLike<number>): Float32Array {
  const { channels, width, height, data } = features;
  const area = width * height;
  const map = new Float32Array(area);
  for (let channel = 0; channel < channels; channel++) {
    const weight = weights[channel] as number;
    for (let i = 0; i < area; i++)
      map[i] = (map[i] as number) + weight * (data[channel * area + i] as number);
  }
  return normalised(map.map((value) => Math.max(0, value)));
}

/** Map of one channel (node). */
export const nodeMap = ({ width, height, data }: FeatureMap, node: number): Float32Array =>
  Float32Array.from({ length: width * height }, (_, i) =>
    Math.max(0, data[node * width * height + i] as number),
  );

/** Resizes a map to the picture and normalises it to 0 … 1; all zeros if nothing is positive. */
export function resizeMap(
  map: Float32Array,
  { width, height }: { width: number; height: number },
  toWidth: number,
  toHeight: number,
): Float32Array {
  return normalised(resizeBilinear(map, width, height, toWidth, toHeight));
}

function normalised(map: Float32Array): Float32Array {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of map) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return map.map((value) => (value - min) / (max - min + EPSILON));
}

/** Channel weights of a class from the linear head (CAM). */
export const headWeights = ({ weights, channels }: Head, target: number): Float32Array =>
  weights.slice(target * channels, (target + 1) * channels);

/** Channel weights from the gradient with respect to the feature map (Grad-CAM). */
export function gradientWeights({ channels, width, height, data }: FeatureMap): Float32Array {
  const area = width * height;
  return Float32Array.from({ length: channels }, (_, channel) => {
    let sum = 0;
    for (let i = 0; i < area; i++) sum += data[channel * area + i] as number;
    return sum / area;
  });
}

/** Step in standard deviations of the map: smaller steps suffer from rounding, larger ones cross ReLU kinks. */
const STEP = 1e-4;
/** Changed maps per batch. */
const AT_ONCE = 64;

/**
 * Grad-CAM weights by central differences: the mean gradient of a channel is the response to a constant offset of the
 * channel. Two runs of the tail per channel.
 */
export async function tailWeights(
  features: FeatureMap,
  target: number,
  tail: (maps: readonly FeatureMap[]) => Promise<Float32Array[]>,
): Promise<Float32Array> {
  const { channels, width, height, data } = features;
  const area = width * height;
  // A power of two minimises rounding errors.
  const step = 2 ** Math.round(Math.log2(STEP * (spread(data) || 1)));
  const moved = (channel: number, by: number): FeatureMap => {
    const copy = Float32Array.from(data);
    for (let i = channel * area; i < (channel + 1) * area; i++) copy[i] = (copy[i] as number) + by;
    return { channels, width, height, data: copy };
  };
  const weights = new Float32Array(channels);
  for (let from = 0; from < channels; from += AT_ONCE / 2) {
    const some = Array.from({ length: Math.min(AT_ONCE / 2, channels - from) }, (_, i) => from + i);
    const answers = await tail(some.flatMap((channel) => [moved(channel, step), moved(channel, -step)]));
    some.forEach((channel, i) => {
      const [above, below] = [answers[2 * i], answers[2 * i + 1]];
      weights[channel] = ((above?.[target] ?? 0) - (below?.[target] ?? 0)) / (2 * step * area);
    });
  }
  return weights;
}

function spread(values: ArrayLike<number>): number {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    sum += values[i] as number;
    squares += (values[i] as number) ** 2;
  }
  const mean = sum / values.length;
  return Math.sqrt(Math.max(0, squares / values.length - mean * mean));
}

/**
 * Occlusion map: logit drop when a region is gray. One run per region and one for the clean picture. Pixels in several
 * regions get the maximum; increases count as 0.
 */
export async function occlusionMap(
  picture: Picture,
  regions: readonly Region[],
  target: number,
  query: (pictures: readonly Picture[]) => Promise<Float32Array[]>,
): Promise<{ map: Float32Array; drops: number[] }> {
  const map = new Float32Array(picture.width * picture.height);
  const answers = await query([picture, ...regions.map((region) => fillRegion(picture, region))]);
  const [clean = 0, ...hidden] = answers.map((logits) => logits[target] as number);
  const drops = hidden.map((value) => clean - value);
  regions.forEach((region, i) => {
    for (let pixel = 0; pixel < map.length; pixel++)
      if (region[pixel]) map[pixel] = Math.max(map[pixel] as number, drops[i] as number);
  });
  const max = map.reduce((a, b) => Math.max(a, b), 0);
  return { map: max > 0 ? map.map((value) => value / max) : map, drops };
}

/** Square tiles, for pictures without part masks. */
export function tiles(width: number, height: number, side: number): Region[] {
  const found: Region[] = [];
  for (let top = 0; top < height; top += side)
    for (let left = 0; left < width; left += side)
      found.push(
        Uint8Array.from({ length: width * height }, (_, i) => {
          const [x, y] = [i % width, Math.floor(i / width)];
          return x >= left && x < left + side && y >= top && y < top + side ? 1 : 0;
        }),
      );
  return found;
}

/**
 * Input-gradient map: root mean square of the gradient per tile, over all colours. Its resolution does not depend on the
 * feature maps of the network.
 */
export function sensitivityMap(
  gradient: ArrayLike<number>,
  { width, height }: Pick<Picture, 'width' | 'height'>,
  tiles: number,
): { width: number; height: number; data: Float32Array } {
  const [columns, rows] = [Math.min(tiles, width), Math.min(tiles, height)];
  const squares = new Float64Array(columns * rows);
  const pixels = new Float64Array(columns * rows);
  for (let y = 0, pixel = 0; y < height; y++)
    for (let x = 0; x < width; x++, pixel++) {
      const tile = Math.floor((y * rows) / height) * columns + Math.floor((x * columns) / width);
      pixels[tile] = (pixels[tile] as number) + 1;
      for (let channel = 0; channel < CHANNELS; channel++)
        squares[tile] =
          (squares[tile] as number) + (gradient[channel * width * height + pixel] as number) ** 2;
    }
  // Mean per pixel, because tiles can differ in size.
  const data = Float32Array.from(squares, (sum, tile) => Math.sqrt(sum / (pixels[tile] as number)));
  return { width: columns, height: rows, data };
}
