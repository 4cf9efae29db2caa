import { mean } from 'd3-array';
import { studentQuantile } from '@/lib/core/quality/distributions';

/** The mean over training seeds with its 95 % interval by Student's t; null of fewer than two. */
export function overSeeds(values: readonly number[]): { mean: number; half: number; n: number } | null {
  const n = values.length;
  if (n < 2) return null;
  const average = mean(values) as number;
  const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (n - 1);
  return { mean: average, half: studentQuantile(0.975, n - 1) * Math.sqrt(variance / n), n };
}
