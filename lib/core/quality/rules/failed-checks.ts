import { z } from 'zod';
import { isReached, measureEvidence, type SequentialTest, shareOfLimit, stageOutcomes } from '../evidence';
import type { WorkerHistory } from '../history';
import { countingChecks } from './counting-checks';
import { defineTestRule } from './rule';
import { careerError, leaning, probability } from './settings';

/** Workers exactly at the bar of the exam pass about nine of ten checks (score-check.ts). */
export const GOOD_PASS_RATE = 0.85;

export const failedChecks = defineTestRule({
  id: 'failed-checks',
  version: 2,
  title: 'Failed checks',
  says: 'Sequential test of the share of checks that the worker passes, one outcome per image. Where a stage has several parts, the evidence has to stand without any one of them.',
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
