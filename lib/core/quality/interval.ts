import { studentQuantile } from './distributions';
import { findRule, type RuleSetting } from './rules';

/** An estimated share with the number of cases behind it and its 95 % interval. */
export type Share = { value: number; n: number; low: number; high: number };

/** 97.5 % point of the normal distribution. */
const Z = 1.959963984540054;

/**
 * Wilson's score interval (Wilson 1927): close to the stated coverage also for few cases and for shares
 * near 0 or 1, where the textbook interval collapses. Null when there is nothing to estimate from.
 */
export function wilson(successes: number, n: number, z = Z): Share | null {
  if (n === 0) return null;
  const p = successes / n;
  const z2 = (z * z) / n;
  const centre = (p + z2 / 2) / (1 + z2);
  const half = (z / (1 + z2)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n));
  return { value: p, n, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * The probability that rules with sequential tests ever stop a good worker, over all stages of a project: the sum of
 * their errors (Bonferroni). Signals are not counted; docs/methods.md states their error. Null if a rule that judges
 * checks without any control of its error is on.
 */
export function statedError(settings: readonly RuleSetting[]): number | null {
  if (settings.some(({ id }) => findRule(id)?.errorControl === 'unknown')) return null;
  return settings.reduce((sum, { id, params }) => {
    const rule = findRule(id);
    if (rule?.errorControl !== 'bounded' || rule.atMost !== 'end') return sum;
    const { error } = rule.params.parse(params) as { error?: number };
    return sum + (error ?? 0);
  }, 0);
}

/** Spread of one worker's IoU between images (measured), and how many images it is worth as a first guess. */
const PRIOR_SD = 0.15;
const PRIOR_WEIGHT = 4;

/**
 * A mean of scores with Student's interval. The spread is estimated together with a first guess worth four
 * scores, for three drawings that happen to score alike do not prove that the next one will.
 */
export function meanWithInterval(values: readonly number[], certainty = 0.95): Share | null {
  const n = values.length;
  if (n === 0) return null;
  const value = values.reduce((sum, each) => sum + each, 0) / n;
  const squares = values.reduce((sum, each) => sum + (each - value) ** 2, 0);
  const df = PRIOR_WEIGHT + n - 1;
  const spread = Math.sqrt((PRIOR_WEIGHT * PRIOR_SD ** 2 + squares) / df);
  const half = (studentQuantile((1 + certainty) / 2, df) * spread) / Math.sqrt(n);
  return { value, n, low: value - half, high: value + half };
}
