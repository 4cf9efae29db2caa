import { bilinear } from './bilinear';

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
export function atSize(
  map: Float32Array,
  { width, height }: { width: number; height: number },
  toWidth: number,
  toHeight: number,
): Float32Array {
  return normalised(bilinear(map, width, height, toWidth, toHeight));
}

function normalised(map: Float32Array): Float32Array {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of map) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return map.map((value) => (value - least) / (most - least + EPSILON));
}
