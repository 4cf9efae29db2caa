import { z } from 'zod';
import { paySchedules } from '../payee';
import { rival10Policy } from './rival10';

const share = z.number().min(0).max(1);
const micro = z.number().int().min(0);
const count = z.number().int().min(1).max(10_000);

/** What both exams have in common. */
const exam = {
  /** Without it a worker starts at once. */
  isRequired: z.boolean(),
  attempts: z.number().int().min(1).max(100),
  /** Between two attempts. */
  waitHours: z.number().min(0).max(8760),
  /** Items with feedback that a worker may try before the exam; 0 for none. */
  practice: z.number().int().min(0).max(50),
  /** Ends early once the interval clears or misses the bar. */
  isAdaptive: z.boolean(),
};

export const checkSchedules = ['flat', 'front-loaded', 'suspicion'] as const;

/** How a project asks, checks and pays. */
export const Policy = z.strictObject({
  /** Items handed out at a time in the attribute stage and in the mask stages. */
  batchSize: z.strictObject({
    attributes: z.number().int().min(1).max(200),
    masks: z.number().int().min(1).max(200),
  }),
  /** Answers wanted per item; more are asked for, up to the maximum, while the posterior is unsure. */
  overlap: z.number().int().min(1).max(25),
  maxOverlap: z.number().int().min(1).max(25),
  /** The posterior probability at which the answers to an item count as sure. */
  confidence: z.number().min(0.5).max(1),
  /**
   * The accuracy that is expected of a worker before any check, and how many checks that expectation is worth. It has
   * to be above chance: at one half the votes of new workers would have no weight.
   */
  trustPrior: z.strictObject({
    accuracy: z.number().gt(0.5).max(0.99),
    strength: z.number().min(1).max(100),
  }),
  /**
   * Second answers for work that cannot be relied on: of people whose estimated accuracy is below the minimum of the
   * stage, or whose behaviour a rule objects to. Null means that accuracy never matters. See `confirmation.ts`.
   */
  confirmation: z.strictObject({
    minFormAccuracy: share.nullable(),
    minMaskAccuracy: share.nullable(),
    /** Answers to such an item, and the posterior probability at which no more are asked for. */
    maxAnswers: z.number().int().min(1).max(25),
    confidence: z.number().min(0.5).max(1),
  }),
  leaseMinutes: z
    .number()
    .int()
    .min(5)
    .max(24 * 60),
  /** Items that one worker may answer in a stage; null for no limit. */
  limits: z.strictObject({
    itemsPerDay: count.nullable(),
    itemsInAll: count.nullable(),
    /** In 24 hours: batches returned, batches submitted without an answer, answers sent after their batch ended. */
    returnsPerDay: count.nullable(),
    emptyBatchesPerDay: count.nullable(),
    lateAnswersPerDay: count.nullable(),
  }),
  attributeExam: z.strictObject({ ...exam, images: count, minPrecision: share, minRecall: share }),
  maskExam: z.strictObject({ ...exam, masks: count, minMeanIou: share }),
  /** Share of the items of a batch that are hidden checks, and how it changes with what is known of the worker. */
  checkRate: share,
  checkSchedule: z.enum(checkSchedules),
  /** What a mask is held against the bar with: plain IoU, or IoU with a tolerance for small parts. */
  maskScore: z.enum(['iou', 'size-aware']),
  gold: z.strictObject({
    /** Workers who may meet one gold item before it is retired. */
    maxExposures: count,
    /** Maximum workers of one cohort per gold item; null for no separate limit. */
    maxCohortExposures: count.nullable(),
    /** Maximum gold images per worker as hidden checks in a stage; null for no limit. */
    maxWorkerChecks: count.nullable(),
    /** Unanimous items become candidates that a curator confirms. */
    promotesUnanimous: z.boolean(),
    /** The author of a gold item cannot confirm it; a second person must. */
    twoPeople: z.boolean(),
  }),
  /** A part that is drawn gives way to the parts that are drawn already. */
  subtractOtherParts: z.boolean(),
  /** Width of the window below which the work is not offered, in CSS pixels; 0 for any screen. */
  minScreenWidth: z.number().int().min(0).max(4000).default(0),
  /** Whether workers who draw are offered the outline of the promoted model. */
  suggestions: z.strictObject({
    isOn: z.boolean(),
    /** The random share of items without one, so that their effect can be measured. */
    withheld: share,
  }),
  /** The promoted model says what is asked next, so many images at a time, and again when these are handed out. */
  askNext: z.strictObject({ isOn: z.boolean(), images: z.number().int().min(1).max(1000) }),
  /** In millionths of the currency. */
  pay: z.strictObject({
    currency: z.string().length(3),
    attributeBatch: micro,
    mask: micro,
    attributeExam: micro,
    maskExam: micro,
    /** The hourly rate the project promises; the fair-pay page measures against it. */
    hourlyTarget: micro,
    /** Earned in the project; null for no limit. */
    maxPerWorker: micro.nullable(),
    maxPerCohort: micro.nullable(),
    /** How and when the project pays, in the curator's words; shown to workers. */
    terms: z.string().trim().max(1000),
  }),
  /** Whether workers of the project's own pool are asked where to send their money, and how and when it is sent. */
  payees: z
    .strictObject({
      isOn: z.boolean(),
      bank: z.boolean(),
      paypal: z.boolean(),
      other: z.boolean(),
      schedule: z.enum(paySchedules),
    })
    .default({ isOn: false, bank: true, paypal: false, other: false, schedule: 'as-described' }),
  /** Batches and exams that a curator reviews before they are paid. */
  payReview: z.strictObject({
    /** Server time per answer below which a batch counts as instant; 0 switches this off. */
    minFormSeconds: z.number().min(0).max(600),
    minMaskSeconds: z.number().min(0).max(600),
    /** Identical answers in a batch from which it counts as constant; null switches this off. */
    constantAnswers: count.nullable(),
  }),
});

export type Policy = z.infer<typeof Policy>;

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
/** Why workers cannot be asked for payee details under a policy; null if they can, or are not asked. */
export function payeeProblem({ payees, pay }: Policy): string | null {
  if (!payees.isOn) return null;
  if (!payees.bank && !payees.paypal && !payees.other)
    return 'Choose at least one way to pay, or do not ask for payee details.';
  if (payees.schedule === 'as-described' && pay.terms === '')
    return 'Choose when you pay, or describe it under “How and when you pay”.';
  return null;
}
