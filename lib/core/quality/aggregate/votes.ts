/** One answer to a question with a fixed set of answers. */
export type Vote = { item: string; worker: string; value: string };

/** Votes by number instead of name: row r says that workers[worker[r]] gave classes[value[r]] to items[item[r]]. */
export interface Votes {
  readonly items: readonly string[];
  readonly workers: readonly string[];
  readonly classes: readonly string[];
  readonly item: Int32Array;
  readonly worker: Int32Array;
  readonly value: Int32Array;
}

/**
 * `classes` are all answers that could have been given, in the order in which ties are named; what is voted for
 * and not among them is added behind. A worker may vote several times on an item: each vote counts.
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

/** What is known for certain: by item, the number of its class; −1 where it is not known. */
export type Truth = Int32Array;

export const noTruth = (votes: Votes): Truth => new Int32Array(votes.items.length).fill(-1);

export interface Aggregate {
  /** Items × classes, row by row: how probable each class is. A row sums to 1. */
  readonly posterior: Float64Array;
  /** By worker, how often they are right by this method's estimate; null where the method makes none. */
  readonly skill: Float64Array | null;
  readonly iterations: number;
}

/** The most probable class of an item, and whether another is just as probable. */
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

/** Probabilities this close are equal: what is left is the noise of adding in another order. */
const TIE = 1e-12;
