import type { Policy } from './policy';
import { rival10Policy } from './rival10';

/** What a new project starts with: RIVAL10's bars and pay, with checks that go where the doubt is. */
export const defaultPolicy: Policy = {
  ...rival10Policy,
  // A wrong answer of one kind must not end it for a careful person: two tries, a day apart, after practice.
  attributeExam: { ...rival10Policy.attributeExam, attempts: 2, waitHours: 24, practice: 3 },
  maskExam: { ...rival10Policy.maskExam, attempts: 2, waitHours: 24, practice: 2 },
  checkSchedule: 'suspicion',
  // Chosen on other seeds than those of the experiment in docs/simulate.md.
  confirmation: { minFormAccuracy: 0.84, minMaskAccuracy: 0.55, maxAnswers: 3, confidence: 0.8 },
  maskScore: 'size-aware',
  gold: {
    maxExposures: 200,
    maxCohortExposures: 100,
    maxWorkerChecks: null,
    promotesUnanimous: true,
    twoPeople: false,
  },
  // Generous to honest workers: returns and empty batches are rare, and a lost connection delays one batch of answers.
  limits: { ...rival10Policy.limits, returnsPerDay: 5, emptyBatchesPerDay: 3, lateAnswersPerDay: 40 },
  // The fastest honest answers in the simulated and published crowds take longer; see docs/quality.md.
  payReview: { minFormSeconds: 1.5, minMaskSeconds: 2, constantAnswers: 5 },
};
