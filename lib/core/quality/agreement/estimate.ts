/** 97.5 % point of the normal distribution. */
const Z = 1.959963984540054;

/** A figure with the cases behind it and its 95 % interval; or why there is none. */
export type Estimate =
  | { readonly value: number; readonly n: number; readonly low: number; readonly high: number }
  | { readonly value: null; readonly n: number; readonly reason: string };

export const undefinedFor = (reason: string, n = 0): Estimate => ({ value: null, n, reason });

/**
 * The interval by leaving out one item at a time (Quenouille 1949, Tukey 1958): items are independent, answers to
 * one item are not. `without[i]` is the figure without item i.
 */
export function jackknife(
  value: number,
  without: readonly number[],
  [lowest, highest]: [number, number],
): Estimate {
  const n = without.length;
  if (n < 2) return { value, n, low: lowest, high: highest };
  const mean = without.reduce((sum, x) => sum + x, 0) / n;
  const spread = without.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  const half = Z * Math.sqrt(((n - 1) / n) * spread);
  return { value, n, low: Math.max(lowest, value - half), high: Math.min(highest, value + half) };
}

/** The mean of independent figures. */
export function meanEstimate(values: readonly number[], range: [number, number], reason: string): Estimate {
  if (values.length === 0) return undefinedFor(reason);
  const sum = values.reduce((a, b) => a + b, 0);
  const n = values.length;
  const without = n < 2 ? [0] : values.map((value) => (sum - value) / (n - 1));
  return jackknife(sum / n, without, range);
}
