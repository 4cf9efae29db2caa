import { z } from 'zod';

const share = z.number().min(0).max(1);
const micro = z.number().int().min(0);

/** How a project asks, checks and pays. Every field has RIVAL10's value as its default. */
export const Policy = z.strictObject({
  /** Items handed out at a time in the attribute stage and in the mask stages. */
  batchSize: z.strictObject({
    attributes: z.number().int().min(1).max(200),
    masks: z.number().int().min(1).max(200),
  }),
  /** Answers wanted per item. */
  overlap: z.number().int().min(1).max(25),
  leaseMinutes: z
    .number()
    .int()
    .min(5)
    .max(24 * 60),
  attributeExam: z.strictObject({
    images: z.number().int().min(1),
    minPrecision: share,
    minRecall: share,
    attempts: z.number().int().min(1),
  }),
  maskExam: z.strictObject({
    masks: z.number().int().min(1),
    minMeanIou: share,
    attempts: z.number().int().min(1),
  }),
  /** Share of the items of a batch that are hidden checks. */
  checkRate: share,
  /** In millionths of the currency. */
  pay: z.strictObject({
    currency: z.string().length(3),
    attributeBatch: micro,
    mask: micro,
    attributeExam: micro,
    maskExam: micro,
    /** The hourly rate the project promises; the fair-pay page measures against it. */
    hourlyTarget: micro,
  }),
});

export type Policy = z.infer<typeof Policy>;
