import type { HistoryCheck } from '../history';
import { addHits } from '../score';
import { hitsIn } from '../score-check';

/** Answers on either side that are assumed before the first check: Laplace's one. */
const ASSUMED = 1;

/** (K + correct) / (2K + n), as in Toloka's dynamic overlap: a newcomer is a coin until checks say more. */
export function smoothedAccuracy(correct: number, n: number): number {
  return (ASSUMED + correct) / (2 * ASSUMED + n);
}

/**
 * The chance that what a worker says is right, from the checks of work and exams. Of attributes it lies between
 * precision and recall, with two errors counting as one case: agreeing on the many that are absent from nearly
 * every image is no skill.
 */
export function accuracyOf(checks: readonly Pick<HistoryCheck, 'passed' | 'score'>[]): number {
  const hits = checks.flatMap((check) => hitsIn(check.score) ?? []);
  if (hits.length === 0)
    return smoothedAccuracy(checks.filter((check) => check.passed).length, checks.length);
  const { truePositives, falsePositives, falseNegatives } = addHits(hits);
  return smoothedAccuracy(truePositives, truePositives + (falsePositives + falseNegatives) / 2);
}
