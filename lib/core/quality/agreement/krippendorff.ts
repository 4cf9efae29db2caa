import type { Votes } from '../aggregate/votes';
import { countsOf, NO_PAIRS, total } from './counts';
import { type Estimate, jackknife, undefinedFor } from './estimate';

/**
 * Krippendorff's alpha for nominal data, with missing answers: Krippendorff, "Computing Krippendorff's
 * alpha-reliability" (2011). 1 is perfect, 0 what chance gives, below 0 systematic disagreement.
 */
export function krippendorffAlpha(votes: Votes): Estimate {
  const rows = countsOf(votes).rows.filter((row) => total(row) > 1);
  if (rows.length === 0) return undefinedFor(NO_PAIRS);
  const parts = rows.map((row) => ({ row, n: total(row), disagreement: disagreement(row) }));
  const sums = {
    n: parts.reduce((sum, part) => sum + part.n, 0),
    disagreement: parts.reduce((sum, part) => sum + part.disagreement, 0),
    classes: new Float64Array(votes.classes.length).map((_, c) =>
      rows.reduce((sum, row) => sum + (row[c] as number), 0),
    ),
  };
  const value = alpha(sums);
  if (value === null) return undefinedFor('Everybody gave the same answer everywhere.', rows.length);
  const without = parts.flatMap((part) => {
    const left = alpha({
      n: sums.n - part.n,
      disagreement: sums.disagreement - part.disagreement,
      classes: sums.classes.map((count, c) => count - (part.row[c] as number)),
    });
    return left === null ? [] : [left];
  });
  return { ...jackknife(value, without, [-1, 1]), n: rows.length };
}

/** Ordered pairs of answers that differ, by the number of answers less one. */
function disagreement(row: Float64Array): number {
  const n = total(row);
  return row.reduce((sum, count) => sum + count * (n - count), 0) / (n - 1);
}

type Sums = { n: number; disagreement: number; classes: Float64Array };

function alpha({ n, disagreement, classes }: Sums): number | null {
  const expected = classes.reduce((sum, count) => sum + count * (n - count), 0) / (n - 1);
  return n > 1 && expected > 0 ? 1 - disagreement / expected : null;
}
