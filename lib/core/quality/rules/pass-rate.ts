import { z } from 'zod';
import { betaBelow } from '../sequential';
import { countingChecks } from './counting-checks';
import { defineRule } from './rule';
import { count, probability } from './settings';

const prior = () => z.number().gt(0).max(1000).default(1);

/** With the defaults it speaks at 0 of 3 passed checks, 1 of 5, 3 of 8, 4 of 10, 7 of 15, 10 of 20. */
export const passRate = defineRule({
  id: 'pass-rate',
  version: 1,
  title: 'Pass rate under the bar',
  says: 'Beta posterior: the share of passed checks is almost surely under the bar.',
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
