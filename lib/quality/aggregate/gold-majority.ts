import { voteShares } from './posterior';
import { type Aggregate, noTruth, type Truth, type Votes } from './votes';

/** Pseudo-answers, half of them right: someone seen once is neither perfect nor hopeless. */
const SMOOTHING = 2;

/**
 * Majority vote weighted by each worker's share of right answers on items whose truth is known, smoothed as
 * (K + right) / (2 K + seen), as Toloka's dynamic overlap does.
 */
export function goldMajority(votes: Votes, truth = noTruth(votes)): Aggregate {
  const skill = accuracyOnTruth(votes, truth);
  return { posterior: voteShares(votes, truth, (worker) => skill[worker] as number), skill, iterations: 0 };
}

export function accuracyOnTruth(votes: Votes, truth: Truth): Float64Array {
  const right = new Float64Array(votes.workers.length).fill(SMOOTHING);
  const seen = new Float64Array(votes.workers.length).fill(2 * SMOOTHING);
  for (let r = 0; r < votes.item.length; r++) {
    const known = truth[votes.item[r] as number] as number;
    const worker = votes.worker[r] as number;
    if (known < 0) continue;
    seen[worker] = (seen[worker] as number) + 1;
    if (votes.value[r] === known) right[worker] = (right[worker] as number) + 1;
  }
  return right.map((count, worker) => count / (seen[worker] as number));
}
