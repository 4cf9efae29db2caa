/** An estimated share with the number of cases behind it and its 95 % interval. */
export type Share = { value: number; n: number; low: number; high: number };

/** 97.5 % point of the normal distribution. */
const Z = 1.959963984540054;

/** 99.5 % point of the normal distribution: for an interval that 99 of 100 times holds the truth. */
export const Z99 = 2.5758293035489004;

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
