import { boundaryIou, iou, type Mask } from '@/lib/core/mask';
import { indexVotes, type Vote, type Votes } from './aggregate/votes';

/** 97.5 % point of the normal distribution. */
const Z = 1.959963984540054;

/** A figure with the cases behind it and its 95 % interval; or why there is none. */
export type Estimate =
  | { readonly value: number; readonly n: number; readonly low: number; readonly high: number }
  | { readonly value: null; readonly n: number; readonly reason: string };

const undefinedFor = (reason: string, n = 0): Estimate => ({ value: null, n, reason });

/**
 * The interval by leaving out one item at a time (Quenouille 1949, Tukey 1958): items are independent, answers to
 * one item are not. `without[i]` is the figure without item i.
 */
function jackknife(value: number, without: readonly number[], [lowest, highest]: [number, number]): Estimate {
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

/** Items × classes: how often each class was given to each item. */
interface Counts {
  readonly classes: number;
  readonly rows: readonly Float64Array[];
}

function countsOf(votes: Votes): Counts {
  const classes = votes.classes.length;
  const rows = votes.items.map(() => new Float64Array(classes));
  for (let r = 0; r < votes.item.length; r++) {
    const row = rows[votes.item[r] as number] as Float64Array;
    row[votes.value[r] as number] = (row[votes.value[r] as number] as number) + 1;
  }
  return { classes, rows };
}

const total = (row: Float64Array): number => row.reduce((sum, count) => sum + count, 0);

/** Pairs of answers to an item that agree, as a share of all its pairs. */
function pairAgreement(row: Float64Array): number {
  const n = total(row);
  return row.reduce((sum, count) => sum + count * (count - 1), 0) / (n * (n - 1));
}

const NO_PAIRS = 'No item has two answers.';

/** Share of the pairs of answers to one item that agree, averaged over items. Chance agreement is in it. */
export function rawAgreement(votes: Votes): Estimate {
  const pairs = countsOf(votes).rows.filter((row) => total(row) > 1);
  return meanEstimate(pairs.map(pairAgreement), [0, 1], NO_PAIRS);
}

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

type GwetSums = { items: number; pairs: number; agreement: number; shares: Float64Array };

function ac1({ items, pairs, agreement, shares }: GwetSums): number {
  const observed = agreement / pairs;
  const expected =
    shares.reduce((sum, share) => sum + (share / items) * (1 - share / items), 0) / (shares.length - 1);
  return (observed - expected) / (1 - expected);
}

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

type AlphaSums = { n: number; disagreement: number; classes: Float64Array };

function alpha({ n, disagreement, classes }: AlphaSums): number | null {
  const expected = classes.reduce((sum, count) => sum + count * (n - count), 0) / (n - 1);
  return n > 1 && expected > 0 ? 1 - disagreement / expected : null;
}

/** The answers to one item: a drawing, or null for "nothing to label". */
type Drawings = { item: string; answers: readonly (Mask | null)[] };

interface MaskAgreement {
  /** Whether there is something to draw: settled before where it is. */
  readonly detection: { raw: Estimate; ac1: Estimate };
  /** Among those who drew. */
  readonly iou: Estimate;
  readonly boundaryIou: Estimate;
}

const NO_PIXELS = 'No item was drawn by two people.';

export function maskAgreement(items: readonly Drawings[]): MaskAgreement {
  const votes = indexVotes(items.flatMap(detectionVotes), ['drawn', 'nothing']);
  const pairs = items.map((entry) => pairsOf(entry.answers.filter((mask) => mask !== null)));
  const mean = (measure: (a: Mask, b: Mask) => number) =>
    meanEstimate(
      pairs
        .filter((list) => list.length > 0)
        .map((list) => list.reduce((sum, [a, b]) => sum + measure(a, b), 0) / list.length),
      [0, 1],
      NO_PIXELS,
    );
  return {
    detection: { raw: rawAgreement(votes), ac1: gwetAc1(votes) },
    iou: mean(iou),
    boundaryIou: mean(boundaryIou),
  };
}

const detectionVotes = ({ item, answers }: Drawings): Vote[] =>
  answers.map((mask, index) => ({ item, worker: String(index), value: mask ? 'drawn' : 'nothing' }));

function pairsOf(masks: readonly Mask[]): [Mask, Mask][] {
  return masks.flatMap((a, i) => masks.slice(i + 1).map((b): [Mask, Mask] => [a, b]));
}
