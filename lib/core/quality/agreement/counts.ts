import type { Votes } from '../aggregate/votes';

/** Items × classes: how often each class was given to each item. */
export interface Counts {
  readonly classes: number;
  readonly rows: readonly Float64Array[];
}

export function countsOf(votes: Votes): Counts {
  const classes = votes.classes.length;
  const rows = votes.items.map(() => new Float64Array(classes));
  for (let r = 0; r < votes.item.length; r++) {
    const row = rows[votes.item[r] as number] as Float64Array;
    row[votes.value[r] as number] = (row[votes.value[r] as number] as number) + 1;
  }
  return { classes, rows };
}

export const total = (row: Float64Array): number => row.reduce((sum, count) => sum + count, 0);

/** Pairs of answers to an item that agree, as a share of all its pairs. */
export function pairAgreement(row: Float64Array): number {
  const n = total(row);
  return row.reduce((sum, count) => sum + count * (count - 1), 0) / (n * (n - 1));
}

export const NO_PAIRS = 'No item has two answers.';
