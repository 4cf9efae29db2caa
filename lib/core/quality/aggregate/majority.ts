import { type Aggregate, noTruth, type Truth, type Votes, voteShares } from './votes';

/** Majority vote: every vote counts the same. The posterior is the share of the votes. */
export function majority(votes: Votes, truth = noTruth(votes)): Aggregate {
  return { posterior: voteShares(votes, truth, () => 1), skill: null, iterations: 0 };
}

/** What is expected of a worker before any known answer, and how many answers that is worth. */
const PRIOR = { accuracy: 0.8, strength: 4 };

/**
 * Majority vote weighted by each worker's share of right answers on items whose truth is known. As in Toloka's dynamic
 * overlap the share is smoothed, but towards what all workers reach together instead of one half: a worker who has met
 * no gold counts as much as an average one, and not half as much as a good one.
 */
export function goldMajority(votes: Votes, truth = noTruth(votes)): Aggregate {
  const skill = accuracyOnTruth(votes, truth);
  return { posterior: voteShares(votes, truth, (worker) => skill[worker] as number), skill, iterations: 0 };
}

function accuracyOnTruth(votes: Votes, truth: Truth): Float64Array {
  const right = new Float64Array(votes.workers.length);
  const seen = new Float64Array(votes.workers.length);
  for (let r = 0; r < votes.item.length; r++) {
    const known = truth[votes.item[r] as number] as number;
    const worker = votes.worker[r] as number;
    if (known < 0) continue;
    seen[worker] = (seen[worker] as number) + 1;
    if (votes.value[r] === known) right[worker] = (right[worker] as number) + 1;
  }
  const sum = (list: Float64Array) => list.reduce((total, value) => total + value, 0);
  const { accuracy, strength } = PRIOR;
  const expected = (strength * accuracy + sum(right)) / (strength + sum(seen));
  return right.map((count, worker) => (strength * expected + count) / (strength + (seen[worker] as number)));
}
