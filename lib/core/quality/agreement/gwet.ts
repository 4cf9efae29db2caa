import type { Votes } from '../aggregate/votes';
import { countsOf, NO_PAIRS, pairAgreement, total } from './counts';
import { type Estimate, jackknife, undefinedFor } from './estimate';

/**
 * Gwet's AC1: Gwet, "Computing inter-rater reliability and its variance in the presence of high agreement", British
 * Journal of Mathematical and Statistical Psychology 61 (2008). Unlike alpha it does not collapse when nearly all
 * answers are the same, as with rare attributes.
 */
export function gwetAc1(votes: Votes): Estimate {
  const { classes, rows: all } = countsOf(votes);
  const rows = all.filter((row) => total(row) > 0);
  const pairs = rows.filter((row) => total(row) > 1);
  if (pairs.length === 0) return undefinedFor(NO_PAIRS);
  if (classes < 2) return undefinedFor('Only one answer is possible.', pairs.length);
  const parts = rows.map((row) => {
    const n = total(row);
    return {
      agreement: n > 1 ? pairAgreement(row) : 0,
      isPair: n > 1,
      shares: row.map((count) => count / n),
    };
  });
  const sums = {
    items: rows.length,
    pairs: pairs.length,
    agreement: parts.reduce((sum, part) => sum + part.agreement, 0),
    shares: new Float64Array(classes).map((_, c) =>
      parts.reduce((sum, part) => sum + (part.shares[c] as number), 0),
    ),
  };
  const value = ac1(sums);
  const without = parts.flatMap((part) => {
    const left = {
      items: sums.items - 1,
      pairs: sums.pairs - Number(part.isPair),
      agreement: sums.agreement - part.agreement,
      shares: sums.shares.map((share, c) => share - (part.shares[c] as number)),
    };
    return left.pairs > 0 ? [ac1(left)] : [];
  });
  return { ...jackknife(value, without, [-1, 1]), n: pairs.length };
}

type Sums = { items: number; pairs: number; agreement: number; shares: Float64Array };

function ac1({ items, pairs, agreement, shares }: Sums): number {
  const observed = agreement / pairs;
  const chance =
    shares.reduce((sum, share) => sum + (share / items) * (1 - share / items), 0) / (shares.length - 1);
  return (observed - chance) / (1 - chance);
}
