import { z } from 'zod';
import { isReached, measureEvidence, type SequentialTest, shareOfLimit, stageOutcomes } from '../evidence';
import type { HistoryCheck, WorkerHistory } from '../history';
import { betaBelow } from '../sequential';
import { careerError, count, defineRule, defineTestRule, leaning, probability } from './rule';

/** A failed check within this of what trusted people reach on the same item is the item's fault. */
const TRUSTED_MARGIN = 0.05;

/** The checks that say something about the worker: a hard item that trusted people fail as well does not. */
export function countingChecks(checks: readonly HistoryCheck[]): HistoryCheck[] {
  return checks.filter(({ passed, expected, score }) => {
    if (passed || expected === null) return true;
    return (score.level ?? 0) < expected - TRUSTED_MARGIN;
  });
}

/** Workers exactly at the bar of the exam pass about nine of ten checks (score-check.ts). */
export const GOOD_PASS_RATE = 0.85;

export const failedChecks = defineTestRule({
  id: 'failed-checks',
  version: 2,
  title: 'Failed checks',
  description:
    'Sequential test of the share of checks that the worker passes, one outcome per image. Where a stage has several parts, the evidence has to stand without any one of them.',
  advice:
    'The main rule. Raise "good" if most of your workers pass more than 95% of the checks; lower it if your gold is debatable. Raise "error" if wrong labels cost you more than losing a good worker.',
  source: 'Ville 1939; Waudby-Smith and Ramdas 2023; Shin, Ramdas and Rinaldo 2023. See docs/methods.md',
  atMost: 'end',
  params: z.strictObject({
    good: probability(GOOD_PASS_RATE).describe('share of checks that a good worker passes at least'),
    error: careerError(0.01),
    leaning: leaning(),
  }),
  tests: (history, { good, error }) => {
    const checks = countingChecks(history.checks);
    return [
      {
        ...passTest(history, good, error / history.stageCount),
        failed: checks.filter((check) => !check.passed).map((check) => check.id),
      },
    ];
  },
  find: ([test], params) => {
    const evidence = test && measureEvidence(test);
    if (!evidence || (!isReached(evidence) && shareOfLimit(evidence) < params.leaning)) return [];
    return [
      {
        isStrong: isReached(evidence),
        reason: 'Several of your answers differ from those of trusted people more than careful answers do.',
        evidence: test.failed,
      },
    ];
  },
});

/** The test of the share of checks that a worker passes in the stage. */
export function passTest(history: WorkerHistory, good: number, error: number): SequentialTest {
  const outcomes = stageOutcomes(history, countingChecks(history.checks), ({ passed }) => Number(passed));
  return { ...outcomes, measure: 'Passed checks', target: null, good, error };
}

const prior = () => z.number().gt(0).max(1000).default(1);

/** With the defaults it speaks at 0 of 3 passed checks, 1 of 5, 3 of 8, 4 of 10, 7 of 15, 10 of 20. */
export const passRate = defineRule({
  id: 'pass-rate',
  version: 1,
  title: 'Pass rate under the bar',
  description: 'Beta posterior: the share of passed checks is almost surely under the bar.',
  source: 'Bayes with a conjugate prior; the usual numbers are those of the test of sequential',
  advice:
    'Not among the default rules: repeated looks make it stop more good workers than its certainty suggests. Use it to compare.',
  atMost: 'end',
  errorControl: 'unknown',
  params: z.strictObject({
    minChecks: count(3).describe('checks before it speaks'),
    bar: probability(0.7).describe('share of checks to pass'),
    certainty: probability(0.95).describe('how sure to be that the worker is under the bar'),
    priorPassed: prior().describe('passes believed in before the first check; 8 after a passed exam'),
    priorFailed: prior().describe('failures believed in before the first check; 2 after a passed exam'),
  }),
  judge(history, { minChecks, bar, certainty, priorPassed, priorFailed }) {
    const checks = countingChecks(history.checks);
    const failed = checks.filter((check) => !check.passed);
    const passed = checks.length - failed.length;
    const below = betaBelow(passed, failed.length, bar, { a: priorPassed, b: priorFailed });
    if (checks.length < minChecks || below <= certainty) return null;
    return {
      isStrong: true,
      reason: 'Too few of your answers match those of trusted people.',
      evidence: failed.map((check) => check.id),
    };
  },
});
