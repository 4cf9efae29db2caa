import { voteShares } from './posterior';
import { type Aggregate, noTruth, type Votes } from './votes';

/** Majority vote: every vote counts the same. The posterior is the share of the votes. */
export function majority(votes: Votes, truth = noTruth(votes)): Aggregate {
  return { posterior: voteShares(votes, truth, () => 1), skill: null, iterations: 0 };
}
