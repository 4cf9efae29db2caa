import { z } from 'zod';
import { groupByImage, measureEvidence, type SequentialTest } from '../evidence';
import { groupBy } from '../group-by';
import type { HistoryCheck, WorkerHistory } from '../history';
import { hitsByAttribute } from '../score-check';
import { countingChecks } from './failed-checks';
import { careerError, defineTestRule, type Finding, probability } from './rule';

type TargetTest = SequentialTest & {
  target: string;
  failed: string[];
  canPause: boolean;
  /** At this evidence the worker practises the target. */
  retrainLimit: number;
};

/**
 * Each part that is drawn and each attribute of a form by itself. It never stops anybody: the worker first practises the
 * target, and is paused for it alone if that does not help. The other parts go on.
 */
export const targetChecks = defineTestRule({
  id: 'target-checks',
  version: 1,
  title: 'One part or attribute is misunderstood',
  description:
    'Sequential test for each part and each attribute. The worker first gets practice on it; if that does not help, they no longer get this part. They keep working on all others.',
  advice:
    'Lower "goodPart" or "goodAttribute" if a part or attribute is hard for everybody; then improve its guide. If many workers need practice on the same target, the guide is the problem.',
  source: 'Waudby-Smith and Ramdas 2023; Bonferroni over targets. See docs/methods.md',
  atMost: 'pause',
  params: z.strictObject({
    goodPart: probability(0.75).describe('share of checks on a part that a good worker passes at least'),
    goodAttribute: probability(0.5).describe(
      'share right, of the images where an attribute is there or was marked, for a good worker at least',
    ),
    retrainError: careerError(0.1).describe('probability that a good worker gets practice they do not need'),
    error: careerError(0.003).describe('probability that a good worker is ever paused for a part'),
  }),
  tests: (history, params) => [
    ...partTests(history, params.goodPart, params),
    ...attributeTests(history, params.goodAttribute, params),
  ],
  find: (tests): Finding[] =>
    tests
      .map((test) => ({ test, evidence: measureEvidence(test) }))
      .filter(({ test, evidence }) => evidence.current >= test.retrainLimit)
      .sort((a, b) => b.evidence.current - a.evidence.current || (a.test.target < b.test.target ? -1 : 1))
      .map(({ test, evidence }) => ({
        isStrong: evidence.current >= evidence.limit,
        reason: `Your answers about "${test.target}" often differ from those of trusted people. Your other answers are not affected.`,
        evidence: test.failed,
        target: test.target,
        canPauseTarget: test.canPause,
      })),
});

type Errors = { error: number; retrainError: number };

function partTests(history: WorkerHistory, good: number, errors: Errors): TargetTest[] {
  const checks = countingChecks(history.checks).filter(({ target }) => target !== '');
  return [...groupBy(checks, ({ target }) => target)].map(([target, own]) =>
    testOf(history, errors, {
      target,
      good,
      canPause: true,
      outcomes: sinceResumed(history, target, own).map((check) => ({ check, isRight: check.passed })),
    }),
  );
}

/** Of an attribute only the images count in which it was there or was marked: it is absent from most. */
function attributeTests(history: WorkerHistory, good: number, errors: Errors): TargetTest[] {
  const seen = history.checks.flatMap((check) =>
    [...hitsByAttribute(check.score)].map(([target, hits]) => ({
      target,
      check,
      isRight: hits.truePositives > 0,
    })),
  );
  return [...groupBy(seen, ({ target }) => target)].map(([target, outcomes]) =>
    testOf(history, errors, { target, good, canPause: false, outcomes }),
  );
}

type Seen = { check: HistoryCheck; isRight: boolean };

function testOf(
  { stageCount, targetCount }: WorkerHistory,
  { error, retrainError }: Errors,
  {
    target,
    good,
    canPause,
    outcomes,
  }: Pick<TargetTest, 'target' | 'good' | 'canPause'> & { outcomes: Seen[] },
): TargetTest {
  const isRight = new Map(outcomes.map((each) => [each.check.id, each.isRight]));
  const images = groupByImage(outcomes.map(({ check }) => check));
  const tests = stageCount * Math.max(1, targetCount);
  return {
    measure: canPause ? 'Passed checks' : 'Right answers',
    target,
    good,
    error: error / tests,
    retrainLimit: tests / retrainError,
    canPause,
    moments: images.map(({ at }) => at),
    sequences: [images.map(({ checks }) => Number(checks.every(({ id }) => isRight.get(id))))],
    failed: outcomes.filter((each) => !each.isRight).map(({ check }) => check.id),
  };
}

/** A curator who lifts the pause for a part gives a fresh start on it. */
function sinceResumed({ actions }: WorkerHistory, target: string, checks: HistoryCheck[]): HistoryCheck[] {
  const resumed = actions.findLast((each) => each.target === target && each.verdict === 'resume');
  return resumed ? checks.filter(({ at }) => at > resumed.at) : checks;
}
