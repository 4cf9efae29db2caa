import type { Mask } from '@/lib/core/mask';
import {
  drew,
  likelyPixels,
  MAX_ITERATIONS,
  type MergedMask,
  type Patterns,
  patternsOf,
  TOLERANCE,
} from './mask-patterns';

/** Where the estimate starts: workers who mostly find what is there and leave out what is not. */
const START = 0.99;
/** A rate of exactly 0 or 1 could never change again. */
const EDGE = 1e-6;

/**
 * STAPLE: Warfield, Zou, Wells, "Simultaneous truth and performance level estimation", IEEE Transactions on Medical
 * Imaging 23 (2004). Every worker has a sensitivity and a specificity; the background is bounded (see patterns).
 * The believed weight is the mean of the two.
 */
export function staple(
  masks: readonly Mask[],
): MergedMask & { sensitivity: Float64Array; specificity: Float64Array } {
  const patterns = patternsOf(masks);
  const cells = [...patterns.pixels, [0, patterns.background] as const];
  const total = cells.reduce((sum, [, pixels]) => sum + pixels, 0);
  const prior = total > 0 ? meanArea(patterns) / total : 0.5;
  let sensitivity = new Float64Array(masks.length).fill(START);
  let specificity = new Float64Array(masks.length).fill(START);
  let probability = new Map<number, number>();
  let iterations = 0;
  for (let change = 1; change > TOLERANCE && iterations < MAX_ITERATIONS; iterations++) {
    probability = new Map(cells.map(([who]) => [who, inside(who, prior, sensitivity, specificity)]));
    const rates = rateWorkers(cells, probability, masks.length);
    change = Math.max(distance(rates.sensitivity, sensitivity), distance(rates.specificity, specificity));
    ({ sensitivity, specificity } = rates);
  }
  const weight = sensitivity.map((rate, w) => (rate + (specificity[w] as number)) / 2);
  return { mask: likelyPixels(patterns, probability), weight, iterations, sensitivity, specificity };
}

type Cells = readonly (readonly [who: number, pixels: number])[];

function meanArea({ pixels, drawings }: Patterns): number {
  let sum = 0;
  for (const [who, count] of pixels) for (let w = 0; w < drawings; w++) if (drew(who, w)) sum += count;
  return sum / drawings;
}

function inside(who: number, prior: number, sensitivity: Float64Array, specificity: Float64Array): number {
  let [yes, no] = [prior, 1 - prior];
  for (let w = 0; w < sensitivity.length; w++) {
    yes *= drew(who, w) ? (sensitivity[w] as number) : 1 - (sensitivity[w] as number);
    no *= drew(who, w) ? 1 - (specificity[w] as number) : (specificity[w] as number);
  }
  return yes / (yes + no);
}

function rateWorkers(cells: Cells, probability: ReadonlyMap<number, number>, drawings: number) {
  const rate = (hit: (who: number, w: number) => boolean, share: (p: number) => number) =>
    Float64Array.from({ length: drawings }, (_, w) => {
      let [hits, all] = [0, 0];
      for (const [who, pixels] of cells) {
        const weight = pixels * share(probability.get(who) as number);
        all += weight;
        if (hit(who, w)) hits += weight;
      }
      return all > 0 ? Math.min(1 - EDGE, Math.max(EDGE, hits / all)) : START;
    });
  return {
    sensitivity: rate(drew, (p) => p),
    specificity: rate(
      (who, w) => !drew(who, w),
      (p) => 1 - p,
    ),
  };
}

const distance = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] as number))), 0);
