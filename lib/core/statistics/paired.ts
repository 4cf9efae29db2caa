import { betaQuantile, studentQuantile } from '@/lib/core/quality/distributions';

export type Difference = { mean: number; low: number; high: number; n: number };

/** Mean of paired differences with Student's 95 % interval; the interval is unbounded for fewer than two pairs. */
export function pairedDifference(differences: readonly number[]): Difference {
  const n = differences.length;
  const mean = differences.reduce((sum, each) => sum + each, 0) / Math.max(1, n);
  if (n < 2) return { mean, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, n };
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (n - 1);
  const half = studentQuantile(0.975, n - 1) * Math.sqrt(variance / n);
  return { mean, low: mean - half, high: mean + half, n };
}

/** Exact 95 % interval of a share (Clopper and Pearson 1934). */
export function clopperPearson(successes: number, n: number): { low: number; high: number } {
  return {
    low: successes === 0 ? 0 : betaQuantile(0.025, successes, n - successes + 1),
    high: successes === n ? 1 : betaQuantile(0.975, successes + 1, n - successes),
  };
}
