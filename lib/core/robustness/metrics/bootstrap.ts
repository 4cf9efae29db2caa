import { quantileSorted } from 'd3-array';
import { stream } from '../random/stream';
import type { Estimate } from './estimate';

export const RESAMPLES = 1000;

/**
 * Percentile bootstrap over images: trials of one image depend on each other, so whole images are drawn. `statistic` gets
 * how often each image was drawn, in an array that is used again, and gives null where it is not defined; such draws are
 * left out.
 */
export function bootstrap(
  images: number,
  statistic: (times: Uint32Array) => number | null,
  { seed = 0, of = images, resamples = RESAMPLES }: { seed?: number; of?: number; resamples?: number } = {},
): Estimate {
  const value = images === 0 ? null : statistic(new Uint32Array(images).fill(1));
  if (value === null) return { value: null, low: null, high: null, n: images, of };
  const found: number[] = [];
  for (const times of draws(images, seed, resamples)) {
    const drawn = statistic(times);
    if (drawn !== null) found.push(drawn);
  }
  found.sort((a, b) => a - b);
  return {
    value,
    low: quantileSorted(found, 0.025) ?? null,
    high: quantileSorted(found, 0.975) ?? null,
    n: images,
    of,
  };
}

/**
 * The same draws for whoever asks with the same seed and number: two models are compared on the same images. One draw at a
 * time, in the same array: all of them would take gigabytes for a hundred thousand images.
 */
export function* draws(images: number, seed: number, resamples: number): Generator<Uint32Array> {
  const chance = stream(`tessera|${seed}|bootstrap|${images}`);
  const times = new Uint32Array(images);
  for (let draw = 0; draw < resamples; draw++) {
    times.fill(0);
    for (let i = 0; i < images; i++) {
      const at = chance.below(images);
      times[at] = (times[at] as number) + 1;
    }
    yield times;
  }
}

/** Of each image a number, or nothing: the mean over those that have one. */
export function bootstrapMean(
  values: readonly (number | null)[],
  settings: { seed?: number; of?: number } = {},
): Estimate {
  const known = values.filter((value) => value !== null);
  return bootstrap(
    known.length,
    (times) => {
      let [sum, n] = [0, 0];
      for (let i = 0; i < known.length; i++) {
        sum += (times[i] as number) * (known[i] as number);
        n += times[i] as number;
      }
      return n === 0 ? null : sum / n;
    },
    { of: values.length, ...settings },
  );
}
