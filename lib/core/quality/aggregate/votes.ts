/** One answer to a question with a fixed set of answers. */
export type Vote = { item: string; worker: string; value: string };

/** Votes with indexes instead of names: in row r, workers[worker[r]] voted classes[value[r]] for items[item[r]]. */
export interface Votes {
  readonly items: readonly string[];
  readonly workers: readonly string[];
  readonly classes: readonly string[];
  readonly item: Int32Array;
  readonly worker: Int32Array;
  readonly value: Int32Array;
}

/**
 * `classes` are all possible answers, in the order in which ties are broken. Other values that occur in votes are
 * appended. If a worker votes several times on an item, each vote counts.
 */
export function indexVotes(list: readonly Vote[], classes: readonly string[] = []): Votes {
  const items = new Map<string, number>();
  const workers = new Map<string, number>();
  const values = new Map(classes.map((name, index) => [name, index]));
  const at = (names: Map<string, number>, name: string) => {
    const known = names.get(name) ?? names.size;
    names.set(name, known);
    return known;
  };
  const item = Int32Array.from(list, (vote) => at(items, vote.item));
  const worker = Int32Array.from(list, (vote) => at(workers, vote.worker));
  const value = Int32Array.from(list, (vote) => at(values, vote.value));
  return {
    items: [...items.keys()],
    workers: [...workers.keys()],
    classes: [...values.keys()],
    item,
    worker,
    value,
  };
}

/** The known class of each item as an index; −1 if unknown. */
export type Truth = Int32Array;

export const noTruth = (votes: Votes): Truth => new Int32Array(votes.items.length).fill(-1);

export interface Aggregate {
  /** Items × classes, row by row: the probability of each class. Each row sums to 1. */
  readonly posterior: Float64Array;
  /** The estimated share of correct votes of each worker; null if the method does not estimate it. */
  readonly skill: Float64Array | null;
  readonly iterations: number;
}

/** Returns the most probable class of an item, and whether another class is equally probable. */
export function bestClass({ posterior }: Aggregate, classes: number, item: number) {
  let best = 0;
  let isTie = false;
  for (let c = 1; c < classes; c++) {
    const difference =
      (posterior[item * classes + c] as number) - (posterior[item * classes + best] as number);
    if (difference > TIE) best = c;
    if (difference > TIE) isTie = false;
    else if (difference >= -TIE) isTie = true;
  }
  return { best, confidence: posterior[item * classes + best] as number, isTie };
}

/** Probabilities this close are equal: rounding depends on the order of addition. */
const TIE = 1e-12;

/** Weighted vote shares of each item: the first step of every method, and the complete majority vote. */
export function voteShares(votes: Votes, truth: Truth, weight: (worker: number) => number): Float64Array {
  const classes = votes.classes.length;
  const sums = new Float64Array(votes.items.length * classes);
  for (let r = 0; r < votes.item.length; r++) {
    const cell = (votes.item[r] as number) * classes + (votes.value[r] as number);
    sums[cell] = (sums[cell] as number) + weight(votes.worker[r] as number);
  }
  return normaliseRows(sums, classes, truth);
}

/** Normalizes each row to probabilities. A row of zeros becomes uniform. */
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

/** Converts rows of log weights to probabilities without overflow. */
export function softmaxRows(rows: Float64Array, classes: number, truth: Truth): Float64Array {
  for (let from = 0; from < rows.length; from += classes) {
    let most = -Infinity;
    for (let c = 0; c < classes; c++) most = Math.max(most, rows[from + c] as number);
    for (let c = 0; c < classes; c++)
      rows[from + c] = most === -Infinity ? 0 : Math.exp((rows[from + c] as number) - most);
  }
  return normaliseRows(rows, classes, truth);
}

/** The largest change of any probability: the convergence criterion of the EM methods. */
function largestChange(a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs((a[i] as number) - (b[i] as number)));
  return most;
}

const MAX_ITERATIONS = 200;
const TOLERANCE = 1e-6;

/** Repeats a step until the probabilities converge, at most `MAX_ITERATIONS` times. */
export function iterate(start: Float64Array, step: (posterior: Float64Array) => Float64Array) {
  let posterior = start;
  for (let iterations = 1; ; iterations++) {
    const next = step(posterior);
    const isDone = largestChange(posterior, next) < TOLERANCE || iterations >= MAX_ITERATIONS;
    posterior = next;
    if (isDone) return { posterior, iterations };
  }
}
