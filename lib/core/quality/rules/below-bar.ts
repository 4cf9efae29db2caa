import { z } from 'zod';
import { isReached, measureEvidence, type SequentialTest, shareOfLimit, stageOutcomes } from '../evidence';
import type { Bars, HistoryCheck, WorkerHistory } from '../history';
import { addHits, type Hits, isAtLeast, precision, recall } from '../score';
import { hitsIn } from '../score-check';
import { careerError, count, defineRule, defineTestRule, leaning } from './rule';

type Measure = {
  name: string;
  bar: number;
  valueIn(check: HistoryCheck): number | null;
  explain(value: string, bar: string): string;
};

type BarTest = SequentialTest & { explain: Measure['explain']; low: string[] };

export const belowBar = defineTestRule({
  id: 'below-bar',
  version: 2,
  title: 'Score under the bar',
  description:
    'Sequential tests of the mean precision, the mean recall and the mean IoU per image against the bars of the exam.',
  advice:
    'Finds work that is poor everywhere but seldom bad enough to fail a check. Change the bars of the exam rather than this rule: they apply to both.',
  source: "RIVAL10's bars (section 3.2); Waudby-Smith and Ramdas 2023. See docs/methods.md",
  atMost: 'end',
  params: z.strictObject({ error: careerError(0.005), leaning: leaning() }),
  tests: (history, { error }): BarTest[] => {
    const measures = measuresOf(history);
    return measures.map(({ name, bar, valueIn, explain }) => ({
      ...stageOutcomes(history, history.checks, valueIn),
      measure: name,
      target: null,
      good: bar,
      error: error / history.stageCount / measures.length,
      explain,
      // Answers that pull the mean down, not those that happen to be checked beside them.
      low: history.checks.filter((check) => (valueIn(check) ?? 1) < bar).map(({ id }) => id),
    }));
  },
  find: (tests, params) => {
    const found = tests
      .map((test) => ({ test, evidence: measureEvidence(test) }))
      .filter(({ evidence }) => isReached(evidence) || shareOfLimit(evidence) >= params.leaning);
    if (found.length === 0) return [];
    return [
      {
        isStrong: found.some(({ evidence }) => isReached(evidence)),
        reason: found
          .map(({ test, evidence }) => test.explain(percent(evidence.mean ?? 0), percent(test.good)))
          .join(' '),
        evidence: [...new Set(found.flatMap(({ test }) => test.low))],
      },
    ];
  },
});

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** Of one form; null where nothing was marked or nothing is there. */
function shareOf(score: Record<string, number>, of: (hits: Hits) => number | null): number | null {
  const hits = hitsIn(score);
  return hits && of(hits);
}

/** A bar of 0 cannot be missed, and one of 1 would stop everybody. */
const canBeTested = ({ bar }: Measure) => bar > 0 && bar < 1;

function measuresOf({ bars, checks }: WorkerHistory): Measure[] {
  const drawsMasks = checks.some(({ score }) => score.iou !== undefined);
  const outlines: Measure = {
    name: 'IoU',
    bar: bars.iou,
    valueIn: ({ score }) => (score.iou === undefined ? null : (score.level ?? 0)),
    explain: (value, bar) => `Your outlines match by ${value} on average; the bar is ${bar}.`,
  };
  const ofMarked: Measure = {
    name: 'Precision',
    bar: bars.precision,
    valueIn: ({ score }) => shareOf(score, precision),
    explain: (value, bar) => `Of what you mark, ${value} is there; the bar is ${bar}.`,
  };
  const ofThere: Measure = {
    name: 'Recall',
    bar: bars.recall,
    valueIn: ({ score }) => shareOf(score, recall),
    explain: (value, bar) => `Of what is there, you mark ${value}; the bar is ${bar}.`,
  };
  return (drawsMasks ? [outlines] : [ofMarked, ofThere]).filter(canBeTested);
}

/**
 * The paper monitors each worker's precision, recall and mean IoU on the checks. After how many checks it looks,
 * and that somebody under the bar of the exam is stopped, is our choice, because the paper does not specify it.
 */
export const averageBelowBar = defineRule({
  id: 'average-below-bar',
  version: 1,
  title: 'Average under the bar',
  description: 'The plain average over the checks is under the bar of the exam, once enough were seen.',
  source: 'RIVAL10, section 3.2 and appendix B',
  advice: 'Only for a comparison with RIVAL10. It stops good workers by bad luck.',
  atMost: 'end',
  errorControl: 'unknown',
  params: z.strictObject({ minChecks: count(10).describe('checks before it speaks') }),
  judge({ checks, bars }, { minChecks }) {
    if (checks.length < minChecks || !isUnder(checks, bars)) return null;
    return {
      isStrong: true,
      reason: 'On average your answers match those of trusted people less than the exam asks for.',
      evidence: checks.map((check) => check.id),
    };
  },
});

function isUnder(checks: readonly HistoryCheck[], bars: Bars): boolean {
  const hits = addHits(checks.flatMap((check) => hitsIn(check.score) ?? []));
  const levels = checks.flatMap(({ score }) => (score.iou === undefined ? [] : (score.level ?? 0)));
  const isLoose = levels.reduce((sum, level) => sum + level, 0) < bars.iou * levels.length;
  return !isAtLeast(precision(hits), bars.precision) || !isAtLeast(recall(hits), bars.recall) || isLoose;
}

/** Hard items cost nobody anything here, and a score says more than passed or failed. */
export const belowExpected = defineTestRule({
  id: 'below-expected',
  version: 2,
  title: 'Worse than trusted people on the same items',
  description: 'Sequential test of the score on each check minus the score that trusted workers reach on it.',
  advice:
    'Useful when gold differs much in difficulty. It needs gold that at least five trusted workers have answered. Raise "margin" if your best workers are much better than you need.',
  source: 'Waudby-Smith and Ramdas 2023, on paired differences. See docs/methods.md',
  atMost: 'end',
  params: z.strictObject({
    margin: z.number().min(0).lt(1).default(0.1).describe('how far below trusted people one may stay'),
    error: careerError(0.002),
    leaning: leaning(),
  }),
  tests: (history, { margin, error }): (SequentialTest & { low: string[] })[] => [
    {
      // A difference lies between -1 and 1, an outcome between 0 and 1.
      ...stageOutcomes(history, history.checks, (check) => {
        const gap = gapOf(check);
        return gap === null ? null : (gap + 1) / 2;
      }),
      measure: 'Score minus that of trusted people',
      isDifference: true,
      target: null,
      good: (1 - margin) / 2,
      error: error / history.stageCount,
      low: history.checks.filter((check) => (gapOf(check) ?? 0) < -margin).map(({ id }) => id),
    },
  ],
  find: ([test], params) => {
    const evidence = test && measureEvidence(test);
    if (!evidence || (!isReached(evidence) && shareOfLimit(evidence) < params.leaning)) return [];
    return [
      {
        isStrong: isReached(evidence),
        reason: 'On the same items, your answers are clearly less exact than those of trusted people.',
        evidence: test.low,
      },
    ];
  },
});

const gapOf = ({ score, expected }: HistoryCheck): number | null =>
  expected === null ? null : (score.level ?? 0) - expected;
