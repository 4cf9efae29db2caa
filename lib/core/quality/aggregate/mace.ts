import { type Aggregate, iterate, normaliseRows, noTruth, type Truth, type Votes } from './votes';

/** The same numbers every time (mulberry32): the same votes give the same labels. */
export function seeded(seed = 1): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Model = {
  /** By worker: how often they look, instead of guessing. */
  knows: Float64Array;
  /** Workers × classes: what they answer when they guess. */
  guesses: Float64Array;
};

/** A start from which EM climbs may lead to a lower hill; the best of a few is kept. */
const RESTARTS = 10;
/** Pseudo-counts, as the authors' program adds them: 0.01 shared by the classes. */
const SMOOTHING = 0.01;

/**
 * MACE: Hovy, Berg-Kirkpatrick, Vaswani, Hovy, "Learning whom to trust with MACE", NAACL-HLT 2013. A worker either
 * knows the answer or guesses by a habit of their own; who guesses is not punished for being right, but not believed.
 * `random` gives numbers from 0 to 1 for the restarts.
 */
export function mace(votes: Votes, truth = noTruth(votes), random: () => number = seeded()): Aggregate {
  let best: (Aggregate & { likelihood: number }) | undefined;
  for (let start = 0; start < RESTARTS; start++) {
    let model = startModel(votes, random);
    let likelihood = -Infinity;
    const first = new Float64Array(votes.items.length * votes.classes.length);
    const { posterior, iterations } = iterate(first, () => {
      const now = expect(votes, truth, model);
      likelihood = now.likelihood;
      model = maximise(votes, now.posterior, model);
      return now.posterior;
    });
    if (!best || likelihood > best.likelihood)
      best = { posterior, skill: model.knows, iterations, likelihood };
  }
  const { posterior, skill, iterations } = best as Aggregate;
  return { posterior, skill, iterations };
}

function startModel({ workers, classes }: Votes, random: () => number): Model {
  const guesses = Float64Array.from({ length: workers.length * classes.length }, () => 1 + random());
  const none = new Int32Array(workers.length).fill(-1);
  return {
    knows: Float64Array.from(workers, () => 0.5 + 0.4 * random()),
    guesses: normaliseRows(guesses, classes.length, none),
  };
}

function expect(votes: Votes, truth: Truth, { knows, guesses }: Model) {
  const classes = votes.classes.length;
  const rows = new Float64Array(votes.items.length * classes).fill(Math.log(1 / Math.max(1, classes)));
  for (let r = 0; r < votes.item.length; r++) {
    const row = (votes.item[r] as number) * classes;
    const [worker, value] = [votes.worker[r] as number, votes.value[r] as number];
    const guess = (1 - (knows[worker] as number)) * (guesses[worker * classes + value] as number);
    for (let c = 0; c < classes; c++)
      rows[row + c] =
        (rows[row + c] as number) + Math.log(guess + (c === value ? (knows[worker] as number) : 0));
  }
  let likelihood = 0;
  for (let row = 0; row < rows.length; row += classes) {
    const cells = rows.subarray(row, row + classes);
    const most = Math.max(...cells);
    let sum = 0;
    for (let c = 0; c < classes; c++) sum += cells[c] = Math.exp((cells[c] as number) - most);
    likelihood += most + Math.log(sum);
  }
  return { posterior: normaliseRows(rows, classes, truth), likelihood };
}

function maximise(votes: Votes, posterior: Float64Array, { knows, guesses }: Model): Model {
  const classes = votes.classes.length;
  const looked = new Float64Array(knows.length).fill(SMOOTHING);
  const given = new Float64Array(knows.length).fill(2 * SMOOTHING);
  const guessed = new Float64Array(guesses.length).fill(SMOOTHING / Math.max(1, classes));
  for (let r = 0; r < votes.item.length; r++) {
    const [worker, value] = [votes.worker[r] as number, votes.value[r] as number];
    const know = knows[worker] as number;
    const cell = worker * classes + value;
    const agrees = posterior[(votes.item[r] as number) * classes + value] as number;
    const knew = (agrees * know) / (know + (1 - know) * (guesses[cell] as number));
    looked[worker] = (looked[worker] as number) + knew;
    given[worker] = (given[worker] as number) + 1;
    guessed[cell] = (guessed[cell] as number) + (1 - knew);
  }
  const none = new Int32Array(knows.length).fill(-1);
  return {
    knows: looked.map((sum, worker) => sum / (given[worker] as number)),
    guesses: normaliseRows(guessed, classes, none),
  };
}
