import { betaCdf } from './distributions';

export type SequentialParams = {
  /** Share of checks that a good and a bad worker pass. */
  good: number;
  bad: number;
  /** Chance to stop a good worker, and to leave a bad one. */
  error: number;
  /** How far good work can be put by, as a share of the evidence that stops a worker. */
  credit: number;
};

/** The numbers of the simulation behind the schedules of check-rate.ts. */
export const sequentialDefaults: SequentialParams = { good: 0.9, bad: 0.6, error: 0.05, credit: 1 };

/** Wald's upper boundary: at this evidence a worker counts as bad. */
export function evidenceLimit({ error }: SequentialParams = sequentialDefaults): number {
  return Math.log((1 - error) / error);
}

/**
 * How much more likely the outcomes of the checks are from a bad worker than from a good one, as the logarithm
 * of the ratio: Wald's sequential test (1945) with a floor, as in Page's CUSUM (1954), so that past good work
 * cannot buy unlimited credit and one who turns bad is still caught. Above 0 it leans bad.
 */
export function evidenceOf(
  outcomes: readonly boolean[],
  params: SequentialParams = sequentialDefaults,
): number {
  const { good, bad, credit } = params;
  const ofPass = Math.log(bad / good);
  const ofFail = Math.log((1 - bad) / (1 - good));
  const floor = 0 - credit * evidenceLimit(params);
  return outcomes.reduce((sum, passed) => Math.max(floor, sum + (passed ? ofPass : ofFail)), 0);
}

/**
 * The evidence without any credit, as in Page's CUSUM: how much the latest checks alone speak against a worker.
 * It decides how closely to look, where a false alarm costs a few checks, and not whether to stop anybody.
 */
export function suspicionOf(outcomes: readonly boolean[]): number {
  return evidenceOf(outcomes, { ...sequentialDefaults, credit: 0 });
}

export type BetaPrior = { a: number; b: number };

/** Knows nothing: every pass rate is equally likely. */
export const flatPrior: BetaPrior = { a: 1, b: 1 };

/** The probability that the true pass rate lies below the bar. */
export function betaBelow(passed: number, failed: number, bar: number, prior: BetaPrior = flatPrior): number {
  return betaCdf(bar, prior.a + passed, prior.b + failed);
}
