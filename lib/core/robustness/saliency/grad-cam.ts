import type { Head } from '../onnx/find-features';
import type { FeatureMap } from './class-map';

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
    const said = await tail(some.flatMap((channel) => [moved(channel, step), moved(channel, -step)]));
    some.forEach((channel, i) => {
      const [above, below] = [said[2 * i], said[2 * i + 1]];
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
