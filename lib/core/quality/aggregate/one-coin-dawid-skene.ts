import { classShares } from './dawid-skene';
import { type Aggregate, iterate, noTruth, softmaxRows, type Truth, type Votes, voteShares } from './votes';

/**
 * One-coin Dawid-Skene: each worker is right with one probability, whatever the class, and wrong in every other way
 * alike. Zhang, Chen, Zhou, Jordan, "Spectral methods meet EM", JMLR 17 (2016), section 2. One number per worker can
 * be learned from few answers.
 */
export function oneCoinDawidSkene(votes: Votes, truth = noTruth(votes)): Aggregate {
  const start = voteShares(votes, truth, () => 1);
  const { posterior, iterations } = iterate(start, (now) => expect(votes, truth, now, skillOf(votes, now)));
  return { posterior, skill: skillOf(votes, posterior), iterations };
}

/** One pseudo-answer, half right: a worker of three answers is not taken for infallible. */
const SMOOTHING = 0.5;

function skillOf(votes: Votes, posterior: Float64Array): Float64Array {
  const classes = votes.classes.length;
  const right = new Float64Array(votes.workers.length).fill(SMOOTHING);
  const given = new Float64Array(votes.workers.length).fill(2 * SMOOTHING);
  for (let r = 0; r < votes.item.length; r++) {
    const worker = votes.worker[r] as number;
    const cell = (votes.item[r] as number) * classes + (votes.value[r] as number);
    right[worker] = (right[worker] as number) + (posterior[cell] as number);
    given[worker] = (given[worker] as number) + 1;
  }
  return right.map((sum, worker) => sum / (given[worker] as number));
}

function expect(votes: Votes, truth: Truth, posterior: Float64Array, skill: Float64Array): Float64Array {
  const classes = votes.classes.length;
  const prior = classShares(posterior, classes);
  const rows = new Float64Array(votes.items.length * classes);
  for (let i = 0; i < rows.length; i++) rows[i] = Math.log(prior[i % classes] as number);
  const others = Math.max(1, classes - 1);
  for (let r = 0; r < votes.item.length; r++) {
    const p = skill[votes.worker[r] as number] as number;
    const cell = (votes.item[r] as number) * classes + (votes.value[r] as number);
    // Only the ratio of right to wrong matters, so the other classes need no change.
    rows[cell] = (rows[cell] as number) + Math.log(p) - Math.log((1 - p) / others);
  }
  return softmaxRows(rows, classes, truth);
}
