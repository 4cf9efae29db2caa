import { mean, quantileSorted } from 'd3-array';
import { studentQuantile } from '@/lib/core/quality/distributions';
import { createRng } from '../random';

/** An estimate with its confidence interval and sample counts. */
export interface Estimate {
  /** Null if undefined for these samples. */
  value: number | null;
  low: number | null;
  high: number | null;
  /** Samples that the value is based on. */
  n: number;
  /** All samples, including those that were skipped or have no value. */
  of: number;
}

export const noEstimate = (of: number): Estimate => ({ value: null, low: null, high: null, n: 0, of });

export const RESAMPLES = 1000;

/**
 * Percentile bootstrap over images; whole images are resampled because trials of one image are dependent. `statistic`
 * receives how often each image was drawn, in a reused array, and returns null if undefined; such resamples are skipped.
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
 * Yields the bootstrap resamples. They depend on seed and number of images only, so two models are compared on the same
 * resamples. One reused array, because all resamples of 100,000 images would take gigabytes.
 */
export function* draws(images: number, seed: number, resamples: number): Generator<Uint32Array> {
  const rng = createRng(`tessera|${seed}|bootstrap|${images}`);
  const times = new Uint32Array(images);
  for (let draw = 0; draw < resamples; draw++) {
    times.fill(0);
    for (let i = 0; i < images; i++) {
      const at = rng.below(images);
      times[at] = (times[at] as number) + 1;
    }
    yield times;
  }
}

/** Mean over the images with a value. */
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

/** Mean over all values of all images, with an interval from resampling images. */
export function bootstrapPooled(
  values: readonly (readonly number[])[],
  { seed = 0, of = values.length }: { seed?: number; of?: number } = {},
): Estimate {
  const known = values.filter((own) => own.length > 0);
  const sums = Float64Array.from(known, (own) => own.reduce((a, b) => a + b, 0));
  const counts = Float64Array.from(known, (own) => own.length);
  return bootstrap(
    known.length,
    (times) => {
      let [sum, n] = [0, 0];
      for (let i = 0; i < sums.length; i++) {
        sum += (times[i] as number) * (sums[i] as number);
        n += (times[i] as number) * (counts[i] as number);
      }
      return n === 0 ? null : sum / n;
    },
    { seed, of },
  );
}

/** Weighted mean and effective sample size (Kish). Null if the weights are 0. */
export function weightedMean(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
): { mean: number; effective: number } | null {
  let [sum, total, squares] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const weight = weights[i] as number;
    sum += weight * (values[i] as number);
    total += weight;
    squares += weight * weight;
  }
  return total > 0 ? { mean: sum / total, effective: (total * total) / squares } : null;
}

/** Mean over training seeds with its 95 % t interval; null for fewer than two seeds. */
export function overSeeds(values: readonly number[]): { mean: number; half: number; n: number } | null {
  const n = values.length;
  if (n < 2) return null;
  const average = mean(values) as number;
  const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (n - 1);
  return { mean: average, half: studentQuantile(0.975, n - 1) * Math.sqrt(variance / n), n };
}

/** Cohen's kappa from observed and expected agreement; null if the expected agreement is 1. */
export const kappaOf = (observed: number, expected: number): number | null =>
  expected >= 1 ? null : (observed - expected) / (1 - expected);

/** Cohen's kappa of two raters; null without ratings. */
export function kappa<T>(first: readonly T[], second: readonly T[]): number | null {
  const n = first.length;
  if (n === 0) return null;
  const counts = new Map<T, [number, number]>();
  const count = (answer: T, judge: 0 | 1) => {
    const pair = counts.get(answer) ?? [0, 0];
    pair[judge] += 1;
    counts.set(answer, pair);
  };
  for (const answer of first) count(answer, 0);
  for (const answer of second) count(answer, 1);
  const observed = first.filter((answer, i) => answer === second[i]).length / n;
  const expected = [...counts.values()].reduce((sum, [a, b]) => sum + a * b, 0) / (n * n);
  return kappaOf(observed, expected);
}

/** Contingency table of two models on the same images. */
export interface Agreement {
  bothRight: number;
  onlyFirst: number;
  onlySecond: number;
  bothWrong: number;
  /**
   * p value of McNemar's exact test on the images that exactly one model gets right; 1 without such images.
   */
  p: number;
}

export function agreement(pairs: Iterable<readonly [first: boolean, second: boolean]>): Agreement {
  const counts = { bothRight: 0, onlyFirst: 0, onlySecond: 0, bothWrong: 0 };
  for (const [first, second] of pairs)
    counts[first ? (second ? 'bothRight' : 'onlyFirst') : second ? 'onlySecond' : 'bothWrong'] += 1;
  return { ...counts, p: exactP(counts.onlyFirst, counts.onlySecond) };
}

/** Two-sided exact binomial test with probability 0.5, in logarithms to avoid overflow. */
function exactP(a: number, b: number): number {
  const n = a + b;
  let [term, tail] = [-n * Math.LN2, 0];
  for (let k = 0; k <= Math.min(a, b); k++) {
    if (k > 0) term += Math.log((n - k + 1) / k);
    tail += Math.exp(term);
  }
  return Math.min(1, 2 * tail);
}
