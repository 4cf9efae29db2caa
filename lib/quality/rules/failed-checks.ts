import { z } from 'zod';
import { evidenceLimit, evidenceOf, sequentialDefaults } from '../sequential';
import { countingChecks } from './counting-checks';
import { defineRule } from './rule';
import { probability, share } from './settings';

export const failedChecks = defineRule({
  id: 'failed-checks',
  version: 1,
  title: 'Failed checks',
  says: 'Sequential test on passed and failed checks, with a floor under the credit for past good work.',
  source: 'Wald 1945, Page 1954; the numbers are simulated, see the test of check-rate',
  atMost: 'end',
  params: z.strictObject({
    good: probability(sequentialDefaults.good).describe('share of checks that a good worker passes'),
    bad: probability(sequentialDefaults.bad).describe('share of checks that a bad worker passes'),
    error: z
      .number()
      .gt(0)
      .lt(0.5)
      .default(sequentialDefaults.error)
      .describe('chance to stop a good worker, and to miss a bad one'),
    credit: z
      .number()
      .min(0)
      .max(10)
      .default(sequentialDefaults.credit)
      .describe('how far good work can be put by, as a share of the evidence that stops a worker'),
    leaning: share(0.5).describe(
      'share of the evidence that stops a worker at which the first step is taken',
    ),
  }),
  judge(history, settings) {
    const checks = countingChecks(history.checks);
    const outcomes = checks.map((check) => check.passed);
    const weight = evidenceOf(outcomes, settings) / evidenceLimit(settings);
    if (weight < settings.leaning) return null;
    return {
      isStrong: weight >= 1,
      reason: 'Several of your answers differ from those of trusted people more than careful answers do.',
      evidence: checks.filter((check) => !check.passed).map((check) => check.id),
    };
  },
});
