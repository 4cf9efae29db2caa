import type { Truth, Votes } from './votes';

/** Shares of the votes of each item, weighted by worker: the start of every method, and the whole of majority. */
export function voteShares(votes: Votes, truth: Truth, weight: (worker: number) => number): Float64Array {
  const classes = votes.classes.length;
  const sums = new Float64Array(votes.items.length * classes);
  for (let r = 0; r < votes.item.length; r++) {
    const cell = (votes.item[r] as number) * classes + (votes.value[r] as number);
    sums[cell] = (sums[cell] as number) + weight(votes.worker[r] as number);
  }
  return normaliseRows(sums, classes, truth);
}

/** Makes rows of weights rows of probabilities. A row of zeros says nothing: every class alike. */
export function normaliseRows(rows: Float64Array, classes: number, truth: Truth): Float64Array {
  for (let item = 0; item < truth.length; item++) {
    const from = item * classes;
    const known = truth[item] as number;
    let sum = 0;
    for (let c = 0; c < classes; c++) sum += rows[from + c] as number;
    for (let c = 0; c < classes; c++) {
      const share = sum > 0 ? (rows[from + c] as number) / sum : 1 / classes;
      rows[from + c] = known < 0 ? share : Number(c === known);
    }
  }
  return rows;
}

/** Rows of log-weights to rows of probabilities, without overflow. */
export function softmaxRows(rows: Float64Array, classes: number, truth: Truth): Float64Array {
  for (let from = 0; from < rows.length; from += classes) {
    let most = -Infinity;
    for (let c = 0; c < classes; c++) most = Math.max(most, rows[from + c] as number);
    for (let c = 0; c < classes; c++)
      rows[from + c] = most === -Infinity ? 0 : Math.exp((rows[from + c] as number) - most);
  }
  return normaliseRows(rows, classes, truth);
}

/** The largest change of any probability, by which the EM methods know that they have arrived. */
export function largestChange(a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs((a[i] as number) - (b[i] as number)));
  return most;
}

export const MAX_ITERATIONS = 200;
export const TOLERANCE = 1e-6;

/** Repeats a step until no probability moves any more. */
export function iterate(start: Float64Array, step: (posterior: Float64Array) => Float64Array) {
  let posterior = start;
  for (let iterations = 1; ; iterations++) {
    const next = step(posterior);
    const isDone = largestChange(posterior, next) < TOLERANCE || iterations >= MAX_ITERATIONS;
    posterior = next;
    if (isDone) return { posterior, iterations };
  }
}
