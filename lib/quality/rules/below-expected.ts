import { z } from 'zod';
import { meanWithInterval } from '../mean';
import { defineRule } from './rule';
import { count } from './settings';

/** Hard items cost nobody anything here, and a score says more than passed or failed. */
export const belowExpected = defineRule({
  id: 'below-expected',
  version: 1,
  title: 'Worse than trusted people on the same items',
  says: 'Score on each check minus what trusted workers reach on it: surely lower by more than the margin.',
  source: 'Student 1908, on differences as in a paired test',
  atMost: 'end',
  params: z.strictObject({
    minChecks: count(5).describe('checks before it speaks'),
    margin: z.number().min(0).lt(1).default(0.1).describe('how far under trusted people one may stay'),
  }),
  judge({ checks }, { minChecks, margin }) {
    const known = checks.flatMap(({ id, score, expected }) =>
      expected === null ? [] : [{ id, gap: (score.level ?? 0) - expected }],
    );
    const gaps = known.map(({ gap }) => gap);
    const isLower = (certainty: number) => (meanWithInterval(gaps, certainty)?.high ?? 0) < -margin;
    if (known.length < minChecks || !isLower(0.95)) return null;
    return {
      isStrong: isLower(0.99),
      reason: 'On the same items, your answers are clearly less exact than those of trusted people.',
      evidence: known.filter(({ gap }) => gap < -margin).map(({ id }) => id),
    };
  },
});
