import { wilson } from '@/lib/core/quality/interval';

/** An estimate with its 95 % interval. */
export interface Figure {
  value: number;
  low: number;
  high: number;
  n: number;
}

/** The same figure where the outline was shown, where it was withheld, and the difference of both. */
export interface Comparison {
  shown: Figure | null;
  withheld: Figure | null;
  /** Shown minus withheld; null while either has fewer than `ENOUGH` cases. */
  difference: Omit<Figure, 'n'> | null;
}

/** Fewer cases than this on a side say nothing about a difference. */
export const ENOUGH = 20;

const Z = 1.959963984540054;

type Summary = (values: readonly number[]) => Figure | null;

/** Both sides by one summary; the interval of the difference is put together from those of the sides. */
export function compare(summary: Summary, shown: readonly number[], withheld: readonly number[]): Comparison {
  const [a, b] = [summary(shown), summary(withheld)];
  const isEnough = shown.length >= ENOUGH && withheld.length >= ENOUGH;
  return { shown: a, withheld: b, difference: a && b && isEnough ? between(a, b) : null };
}

/** Newcombe (1998), method 10: also right where an interval is not as long to both sides, as that of a share is not. */
function between(a: Figure, b: Figure): Omit<Figure, 'n'> {
  const value = a.value - b.value;
  return {
    value,
    low: value - Math.hypot(a.value - a.low, b.high - b.value),
    high: value + Math.hypot(a.high - a.value, b.value - b.low),
  };
}

/** The median, with the values between which it lies 95 of 100 times by the binomial distribution of ranks. */
export const median: Summary = (values) => {
  const n = values.length;
  if (n === 0) return null;
  const sorted = [...values].sort((x, y) => x - y);
  const at = (rank: number) => sorted[Math.min(n - 1, Math.max(0, rank))] as number;
  const half = (Z * Math.sqrt(n)) / 2;
  const value = (at((n - 1) >> 1) + at(n >> 1)) / 2;
  return { value, n, low: at(Math.floor(n / 2 - half)), high: at(Math.ceil(n / 2 + half)) };
};

export const mean: Summary = (values) => {
  const n = values.length;
  if (n === 0) return null;
  const value = values.reduce((sum, each) => sum + each, 0) / n;
  const squares = values.reduce((sum, each) => sum + (each - value) ** 2, 0);
  const half = n > 1 ? Z * Math.sqrt(squares / (n - 1) / n) : Number.POSITIVE_INFINITY;
  return { value, n, low: value - half, high: value + half };
};

/** Of ones and zeros. */
export const share: Summary = (values) =>
  wilson(
    values.reduce((sum, each) => sum + each, 0),
    values.length,
  );
