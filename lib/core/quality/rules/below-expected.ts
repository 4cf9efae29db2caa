import { z } from 'zod';
import { isReached, measureEvidence, type SequentialTest, shareOfLimit, stageOutcomes } from '../evidence';
import type { HistoryCheck } from '../history';
import { defineTestRule } from './rule';
import { careerError, leaning } from './settings';

/** Hard items cost nobody anything here, and a score says more than passed or failed. */
export const belowExpected = defineTestRule({
  id: 'below-expected',
  version: 2,
  title: 'Worse than trusted people on the same items',
  says: 'Sequential test of the score on each check minus the score that trusted workers reach on it.',
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
