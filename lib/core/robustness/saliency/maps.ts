import type { Head } from '../onnx/find-features';
import { CHANNELS, type Picture, type Region } from '../picture';
import { fillRegion } from '../pixels/compositing';
import { resizeBilinear } from '../pixels/resample';

/** Channels of h × w values one after the other, as a network's last convolution gives them. */
export interface FeatureMap {
  channels: number;
  width: number;
  height: number;
  data: ArrayLike<number>;
}

/** What keeps a map of zeros from being divided by zero, as the usual library has it. */
const EPSILON = 1e-7;

/**
 * Grad-CAM from a weight for each channel. Of a network that averages its map and then is linear, the weights are those
 * of the class; of any other they are mean gradients.
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

/** One channel by itself: the map of a node. */
export const nodeMap = ({ width, height, data }: FeatureMap, node: number): Float32Array =>
  Float32Array.from({ length: width * height }, (_, i) =>
    Math.max(0, data[node * width * height + i] as number),
  );

/** At the size of the picture, from 0 to 1; all zeros where nothing was positive. */
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

/** Weights of the channels for a class, for `classMap`. Only their proportions matter. */
export const headWeights = ({ weights, channels }: Head, target: number): Float32Array =>
  weights.slice(target * channels, (target + 1) * channels);

/** By the gradient of the class by the map: its mean over the picture, channel by channel. */
export function gradientWeights({ channels, width, height, data }: FeatureMap): Float32Array {
  const area = width * height;
  return Float32Array.from({ length: channels }, (_, channel) => {
    let sum = 0;
    for (let i = 0; i < area; i++) sum += data[channel * area + i] as number;
    return sum / area;
  });
}

/** In units of the spread of the map: smaller drowns in rounding, larger meets the next kink of a ReLU. */
const STEP = 1e-4;
/** Changed maps are large and many; so many are made at once. */
const AT_ONCE = 64;

/**
 * Without any gradient: the mean gradient of a channel is how the class answers to a little more of all of the channel,
 * and that is asked of the tail, once above and once below. Two runs of the tail for each channel.
 */
export async function tailWeights(
  features: FeatureMap,
  target: number,
  tail: (maps: readonly FeatureMap[]) => Promise<Float32Array[]>,
): Promise<Float32Array> {
  const { channels, width, height, data } = features;
  const area = width * height;
  // A power of two, so that adding it rounds as little as can be.
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
 * How much a class loses when a region is gray: what can be seen of any model. One run for each region and one for the
 * picture as it is. Pixels of several regions get the most of them; what helps the class when hidden counts as nothing.
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

/** Squares side by side, for pictures on which nobody drew parts. */
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
 * How far small noise in a tile moves a class: the length of its gradient there, of all colours, for so many tiles along
 * each side. As fine as one likes, whatever the maps inside the network are.
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
  // Of a pixel: tiles that a side does not divide evenly into differ in size.
  const data = Float32Array.from(squares, (sum, tile) => Math.sqrt(sum / (pixels[tile] as number)));
  return { width: columns, height: rows, data };
}
