import { type Share, wilson } from './interval';

/** How sure one can ask to be, with the points of the normal distribution that leave the rest on both sides. */
const points = { 0.9: 1.6448536269514722, 0.95: 1.959963984540054, 0.99: 2.5758293035489004 } as const;

export type Confidence = keyof typeof points;
export const confidences = [0.9, 0.95, 0.99] as const satisfies readonly Confidence[];

/** More than people judge in weeks; the page of a sample holds all of it. */
export const LARGEST_SAMPLE = 5000;

/**
 * How many of `population` must be audited to know an error rate to within ± `half` at 95 %, if it is about
 * `expected`: Cochran, "Sampling Techniques" (1977), with the correction for a finite population.
 */
export function auditSize(
  population: number,
  half: number,
  expected = 0.5,
  confidence: Confidence = 0.95,
): number {
  if (population <= 0) return 0;
  const z = points[confidence];
  const endless = (z * z * expected * (1 - expected)) / (half * half);
  return Math.min(population, Math.max(1, Math.ceil(endless / (1 + (endless - 1) / population))));
}

/**
 * The error rate of the whole from a random sample without replacement. A sample that is a good part of the whole
 * says more than its size tells: Wilson's interval is taken at the size at which drawing with replacement would be
 * as sure. An audit of everything leaves no doubt.
 */
export function auditedRate(
  errors: number,
  sample: number,
  population: number,
  confidence: Confidence = 0.95,
): Share | null {
  if (sample === 0) return null;
  const rate = errors / sample;
  if (sample >= population) return { value: rate, n: sample, low: rate, high: rate };
  const worth = (sample * (population - 1)) / (population - sample);
  const interval = wilson(rate * worth, worth, points[confidence]);
  // What was seen is certain: at least these errors, and at least that many right ones, are in the whole.
  return (
    interval && {
      value: rate,
      n: sample,
      low: Math.max(interval.low, errors / population),
      high: Math.min(interval.high, (population - sample + errors) / population),
    }
  );
}
