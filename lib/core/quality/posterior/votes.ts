/** A worker at or below chance has no weight, rather than a negative one, and no weight is unlimited. */
const [MIN_ACCURACY, MAX_ACCURACY] = [0.5, 0.99];
/** Rates of errors below this cannot be measured with the checks that one worker answers. */
const [MIN_RATE, MAX_RATE] = [0.005, 0.995];

/** Sums closer than this are equal: the difference is rounding. */
const EPSILON = 1e-9;

export type Rates = {
  /** Probability of saying yes where the truth is yes, and no where it is no. */
  sensitivity: number;
  specificity: number;
};

export const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));

export const logit = (probability: number): number => Math.log(probability / (1 - probability));

export const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Weight of a vote in the decision: the log odds of the worker's accuracy, never below zero. */
export const voteWeight = (accuracy: number): number => logit(clamp(accuracy, MIN_ACCURACY, MAX_ACCURACY));

/** Log likelihood ratio of one yes or no vote. Zero for a worker whose votes carry no information. */
export function voteEvidence({ sensitivity, specificity }: Rates, isFor: boolean): number {
  const [hit, reject] = [sensitivity, specificity].map((rate) => clamp(rate, MIN_RATE, MAX_RATE)) as [
    number,
    number,
  ];
  return isFor ? Math.max(0, Math.log(hit / (1 - reject))) : Math.min(0, Math.log((1 - hit) / reject));
}

/**
 * Probability that a statement is true by Bayes' rule, given independent votes and how often it is true beforehand.
 * Dawid & Skene, Applied Statistics 28 (1979), with the error rates known from checks instead of estimated by EM.
 */
export function probabilityTrue(votes: readonly (Rates & { isFor: boolean })[], frequency = 0.5): number {
  const evidence = votes.reduce((sum, vote) => sum + voteEvidence(vote, vote.isFor), 0);
  return sigmoid(logit(clamp(frequency, MIN_RATE, MAX_RATE)) + evidence);
}

/** The criteria that decide between options, most important first. */
export type Support = { weight: number; votes: number; probability: number };

const order = ['weight', 'votes', 'probability'] as const;
export type Criterion = (typeof order)[number];

/** The first criterion by which two options differ, and by how much; null when they are equal in all. */
export function compareSupport(a: Support, b: Support): { by: Criterion; difference: number } | null {
  for (const by of order) {
    const difference = a[by] - b[by];
    if (Math.abs(difference) > EPSILON) return { by, difference };
  }
  return null;
}
