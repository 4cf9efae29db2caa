import { meanWithInterval, type Share } from '@/lib/core/quality/interval';

/** Checks that count as late, and the fewest before them to compare with. */
const LATE = 15;
const EARLY = 5;

export interface Drift {
  early: Share;
  late: Share;
  /** Said only where the two intervals do not meet. */
  verdict: 'better' | 'worse' | 'no change to be seen';
}

/** Whether somebody's newest scores differ from those before; null while there are too few. Scores in time order. */
export function driftOf(levels: readonly number[]): Drift | null {
  const late = meanWithInterval(levels.slice(-LATE));
  const before = levels.slice(0, -LATE);
  const early = meanWithInterval(before);
  if (!late || !early || before.length < EARLY) return null;
  const verdict = late.high < early.low ? 'worse' : late.low > early.high ? 'better' : 'no change to be seen';
  return { early, late, verdict };
}
