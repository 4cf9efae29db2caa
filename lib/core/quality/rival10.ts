import type { Policy } from './policy';

/**
 * The numbers of the RIVAL10 collection: Moayeri, Pope, Balaji, Feizi, "A Comprehensive Study of Image
 * Classification Model Sensitivity to Foregrounds, Backgrounds, and Visual Attributes" (CVPR 2022),
 * section 3.2 and appendix B. Choices that the paper does not specify are ours and marked as such.
 */
export const rival10Policy: Policy = {
  batchSize: { attributes: 20, masks: 20 },
  // The paper tells of one answer per item.
  overlap: 1,
  maxOverlap: 1,
  // Ours, and without effect while the two above are equal.
  confidence: 0.95,
  // The paper stops people and keeps their work.
  confirmation: { minFormAccuracy: null, minMaskAccuracy: null, maxAnswers: 1, confidence: 0.95 },
  // Ours: between the exam's bar of 0.75 and the 0.9 of a good worker. See docs/quality.md.
  trustPrior: { accuracy: 0.8, strength: 4 },
  // Ours: a batch took about ten minutes in the paper; an hour leaves room for a break.
  leaseMinutes: 60,
  // Silent.
  limits: {
    itemsPerDay: null,
    itemsInAll: null,
    returnsPerDay: null,
    emptyBatchesPerDay: null,
    lateAnswersPerDay: null,
  },
  attributeExam: {
    isRequired: true,
    images: 20,
    minPrecision: 0.75,
    minRecall: 0.75,
    // "One-time qualification test" (figure 34).
    attempts: 1,
    waitHours: 0,
    practice: 0,
    isAdaptive: false,
  },
  maskExam: {
    isRequired: true,
    masks: 5,
    minMeanIou: 0.7,
    attempts: 1,
    waitHours: 0,
    practice: 0,
    isAdaptive: false,
  },
  // "Roughly 5 %" in section 3.2, 4 % in appendix B.
  checkRate: 0.05,
  checkSchedule: 'flat',
  maskScore: 'iou',
  // Silent: no limit on how often a gold item is shown is told of.
  gold: {
    maxExposures: 10_000,
    maxCohortExposures: null,
    maxWorkerChecks: null,
    promotesUnanimous: false,
    twoPeople: false,
  },
  subtractOtherParts: false,
  minScreenWidth: 0,
  // The paper's workers drew without help.
  suggestions: { isOn: false, withheld: 0.2 },
  // Images were asked in no particular order.
  askNext: { isOn: false, images: 50 },
  pay: {
    currency: 'USD',
    attributeBatch: 1_500_000,
    mask: 100_000,
    attributeExam: 1_500_000,
    // Ours: five masks at the price of a mask.
    maskExam: 500_000,
    // $1.50 for ten minutes.
    hourlyTarget: 9_000_000,
    maxPerWorker: null,
    maxPerCohort: null,
    terms: '',
  },
  // The paper's workers came by a marketplace, which paid them.
  payees: { isOn: false, bank: true, paypal: false, other: false, schedule: 'as-described' },
  // The paper mentions no review of pay.
  payReview: { minFormSeconds: 0, minMaskSeconds: 0, constantAnswers: null },
};
