import { meanWithInterval, type Share } from '@/lib/core/quality/interval';
import { hitsByAttribute } from '@/lib/core/quality/score-check';

interface Confusion {
  /** Attributes that were there and were not marked. */
  missed: string[];
  /** Attributes that were marked and were not there; the last stands for "nothing instead". */
  marked: string[];
  /** counts[missed][marked]. */
  counts: number[][];
}

export const NOTHING = '';

/** More would not be read. */
const MAX_ROWS = 12;

/**
 * What somebody marks instead of what is there: for each attribute missed in a check, everything that was wrongly
 * marked in the same form. The most frequent first.
 */
export function confusionOf(scores: readonly Record<string, number>[]): Confusion {
  const cells = new Map<string, Map<string, number>>();
  for (const score of scores) {
    const hits = [...hitsByAttribute(score)];
    const wrong = hits.flatMap(([id, each]) => (each.falsePositives > 0 ? [id] : []));
    for (const [id, each] of hits) {
      if (each.falseNegatives === 0) continue;
      const row = cells.get(id) ?? new Map<string, number>();
      for (const other of wrong.length > 0 ? wrong : [NOTHING]) row.set(other, (row.get(other) ?? 0) + 1);
      cells.set(id, row);
    }
  }
  const sum = (row: Map<string, number>) => [...row.values()].reduce((total, n) => total + n, 0);
  const rows = [...cells].sort(([, a], [, b]) => sum(b) - sum(a)).slice(0, MAX_ROWS);
  const totals = new Map<string, number>();
  for (const [, row] of rows) for (const [id, n] of row) totals.set(id, (totals.get(id) ?? 0) + n);
  const marked = [...totals]
    .filter(([id]) => id !== NOTHING)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_ROWS)
    .map(([id]) => id);
  const columns = totals.has(NOTHING) ? [...marked, NOTHING] : marked;
  return {
    missed: rows.map(([id]) => id),
    marked: columns,
    counts: rows.map(([, row]) => columns.map((id) => row.get(id) ?? 0)),
  };
}

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
