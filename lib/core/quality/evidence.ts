import { groupBy } from './group-by';
import type { HistoryCheck, WorkerHistory } from './history';

/** The checks on one gold image. They count as one outcome, because the answers about one image depend on each other. */
type ImageChecks = { at: Date; checks: readonly HistoryCheck[] };

/** Groups checks by image, in the order of their first check. The order of the input makes no difference. */
export function groupByImage(checks: readonly HistoryCheck[]): ImageChecks[] {
  const inOrder = [...checks].sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
  return [...groupBy(inOrder, ({ imageId }) => imageId).values()].map((own) => ({
    at: own.at(-1)?.at ?? new Date(0),
    checks: own,
  }));
}

/** Outcomes of a test about the whole stage. */
type Outcomes = {
  moments: readonly Date[];
  /** One sequence, or one for each part that is left out. The evidence is the smallest of them. */
  sequences: readonly (readonly (number | null)[])[];
};

/**
 * One outcome per image: the mean of `valueIn` over its checks. Where a stage asks about several parts, each is left out
 * once, so that somebody who misunderstands a single part is not judged by it here; that is what `target-checks` is for.
 */
export function stageOutcomes(
  history: Pick<WorkerHistory, 'targetCount'>,
  checks: readonly HistoryCheck[],
  valueIn: (check: HistoryCheck) => number | null,
): Outcomes {
  const images = groupByImage(checks);
  const targets = new Set(checks.map(({ target }) => target));
  const hasParts = history.targetCount > 1 && [...targets].some((target) => target !== '');
  const outcomesWithout = (leftOut: string | null) =>
    images.map(({ checks: own }) =>
      mean(own.flatMap((c) => (c.target === leftOut ? [] : (valueIn(c) ?? [])))),
    );
  return {
    moments: images.map(({ at }) => at),
    sequences: hasParts ? [...targets].map(outcomesWithout) : [outcomesWithout(null)],
  };
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Bets as shares of the largest bet that cannot lose everything, with the weights of their mixture. For outcomes that
 * are passed or failed, a share f is the likelihood ratio of the pass rate `good * (1 - f)` against `good`: with 0.85
 * these are the pass rates 0.79, 0.70, 0.60, 0.47, 0.30 and 0.09.
 */
const BETS = [
  { share: 0.07, weight: 0.15 },
  { share: 0.18, weight: 0.2 },
  { share: 0.3, weight: 0.2 },
  { share: 0.45, weight: 0.15 },
  { share: 0.65, weight: 0.15 },
  { share: 0.9, weight: 0.15 },
] as const;

/** Betting starts again after this many outcomes with a part of the stake, to notice work that turns bad later. */
const RESTART_EVERY = 10;

/**
 * The wealth of a bettor who starts with 1 and bets against the claim that outcomes in [0, 1] have a mean of at least
 * `good`, after each outcome. `null` is no outcome and leaves the wealth as it is.
 *
 * If the claim is true, whatever came before, the wealth is a supermartingale, and the probability that it ever reaches
 * 1/error is at most `error` (Ville 1939). Each factor is 1 + bet * (good - outcome), as in Waudby-Smith and Ramdas
 * 2023; the mixture of bets and of starting points is a convex combination of such processes and therefore one as well.
 */
export function wealthPath(outcomes: readonly (number | null)[], good: number): number[] {
  const wealth = BETS.map(() => 0);
  let reserve = 1;
  let count = 0;
  return outcomes.map((outcome) => {
    if (outcome !== null) {
      const stake = stakeAt(count);
      reserve -= stake;
      BETS.forEach(({ share, weight }, k) => {
        const factor = 1 + (share / (1 - good)) * (good - outcome);
        wealth[k] = ((wealth[k] ?? 0) + stake * weight) * factor;
      });
      count++;
    }
    return wealth.reduce((sum, part) => sum + part, reserve);
  });
}

/** Half of the stake at the first outcome; at restart n a share of 1/(n(n+1)) of the other half. These add up to 1. */
function stakeAt(count: number): number {
  if (count === 0) return 0.5;
  if (count % RESTART_EVERY !== 0) return 0;
  const restart = count / RESTART_EVERY;
  return 0.5 / (restart * (restart + 1));
}

/** A sequential test of the claim that a worker is good. */
export type SequentialTest = Outcomes & {
  /** What is measured, for curators. */
  measure: string;
  /** The outcomes are differences between -1 and 1, mapped to 0 and 1. */
  isDifference?: true;
  /** The part or attribute that the test is about; null for the whole stage. */
  target: string | null;
  /** The claim: the mean of the outcomes is at least this. */
  good: number;
  /** Probability that the evidence against a good worker ever reaches the limit. */
  error: number;
};

/** The evidence against a worker over time. 1 is none; a good worker reaches x with probability 1/x at most. */
export type Evidence = {
  measure: string;
  isDifference: boolean;
  target: string | null;
  good: number;
  /** Mean of the outcomes so far; null without any. */
  mean: number | null;
  points: { at: Date; value: number }[];
  /** At this evidence the worker is stopped. */
  limit: number;
  current: number;
  highest: number;
};

export function measureEvidence(test: SequentialTest): Evidence {
  const { moments, sequences, good, error, measure, target } = test;
  const paths = sequences.map((sequence) => wealthPath(sequence, good));
  const points = moments.map((at, i) => ({ at, value: Math.min(...paths.map((path) => path[i] ?? 1)) }));
  const known = sequences.flat().filter((outcome) => outcome !== null);
  return {
    measure,
    isDifference: test.isDifference ?? false,
    target,
    good,
    mean: known.length === 0 ? null : known.reduce((sum, outcome) => sum + outcome, 0) / known.length,
    points,
    limit: 1 / error,
    current: points.at(-1)?.value ?? 1,
    highest: points.reduce((most, { value }) => Math.max(most, value), 1),
  };
}

/** Whether the limit was reached at any moment. When the rules looked makes no difference. */
export const isReached = ({ highest, limit }: Evidence): boolean => highest >= limit;

/** How far the evidence is on its way to the limit, from 0 to 1, on a logarithmic scale. */
export const shareOfLimit = ({ current, limit }: Pick<Evidence, 'current' | 'limit'>): number =>
  Math.min(1, Math.max(0, Math.log(current) / Math.log(limit)));

/** Anytime-valid evidence against a worker, from checks. See docs/methods.md. */
