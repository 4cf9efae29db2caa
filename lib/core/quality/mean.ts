import { studentQuantile } from './distributions';
import type { Share } from './interval';

/** Spread of one worker's IoU between images (measured), and how many images it is worth as a first guess. */
const USUAL_SPREAD = 0.15;
const GUESS_WEIGHT = 4;

/**
 * A mean of scores with Student's interval. The spread is estimated together with a first guess worth four
 * scores, for three drawings that happen to score alike do not prove that the next one will.
 */
export function meanWithInterval(values: readonly number[], certainty = 0.95): Share | null {
  const n = values.length;
  if (n === 0) return null;
  const value = values.reduce((sum, each) => sum + each, 0) / n;
  const squares = values.reduce((sum, each) => sum + (each - value) ** 2, 0);
  const df = GUESS_WEIGHT + n - 1;
  const spread = Math.sqrt((GUESS_WEIGHT * USUAL_SPREAD ** 2 + squares) / df);
  const half = (studentQuantile((1 + certainty) / 2, df) * spread) / Math.sqrt(n);
  return { value, n, low: value - half, high: value + half };
}
