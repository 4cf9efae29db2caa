import { z } from 'zod';
import { stageKinds } from '@/db/schema';
import { AnswerValue } from '@/lib/core/quality/answer';
import { askedFlags, labelFlags } from '@/lib/core/schema';
import { SubmittedValue } from '@/lib/services/crowd/work/check-answer';
import { id, moment } from '../_http/fields';

const share = z.number().min(0).max(1);

/** A drawing without its shapes. */
const DrawnValue = z.object({
  kind: z.literal('mask'),
  instances: z.array(z.string()).optional(),
  flags: z.array(z.enum(labelFlags)).optional(),
});

export const QueueRow = z.object({
  labelId: id,
  /** The chance that the label is wrong, 0 to 1; null if it is not known (imported, no sample audited yet). */
  risk: share.nullable(),
  /** Where the label is from: answer, consensus, correction, import or generator. */
  source: z.string(),
  /** Number of instances if there are several; null otherwise. */
  instances: z.number().int().nullable(),
  agreement: share.nullable(),
  /** How far the promoted model is from the label; null where it says nothing. */
  disagreement: share.nullable(),
  warnings: z.array(z.string()),
  stageId: id,
  target: z.string(),
  kind: z.string(),
  /** Compressed COCO counts of the upright image. */
  mask: z.string().nullable(),
  /** The attributes that the label marks. */
  chosen: z.array(z.string()),
  imageName: z.string(),
  className: z.string().nullable(),
  width: z.number().int(),
  height: z.number().int(),
  pictureUrl: z.string(),
});

export const AuditLabel = z.object({
  id,
  itemId: id,
  imageId: id,
  isCurrent: z.boolean(),
  source: z.string(),
  confidence: share,
  /** Why the label is what it is, in one sentence; null where people or files made it. */
  explanation: z.string().nullable(),
  createdAt: moment,
  value: AnswerValue,
  mask: z.string().nullable(),
  area: z.number().int().nullable(),
  stage: z.object({ id, kind: z.enum(stageKinds), name: z.string() }),
  target: z
    .object({
      id: z.string(),
      name: z.string(),
      definition: z.string().nullable(),
      colour: z.string(),
      isNumbered: z.boolean(),
      flags: z.array(z.enum(askedFlags)),
    })
    .nullable(),
  /** The schema that the item is pinned to, where it asks for attributes or a class. */
  schema: z.record(z.string(), z.unknown()).nullable(),
  image: z.object({
    name: z.string(),
    className: z.string().nullable(),
    width: z.number().int(),
    height: z.number().int(),
    url: z.string(),
  }),
  risk: z
    .object({
      risk: share.nullable(),
      agreement: share.nullable(),
      disagreement: share.nullable(),
      warnings: z.array(z.string()),
      reviewedAt: moment.nullable(),
    })
    .nullable(),
  answers: z.array(
    z.object({
      id,
      workerId: id,
      worker: z.string(),
      accuracy: share,
      value: z.union([AnswerValue, DrawnValue]),
      mask: z.string().nullable(),
      agreement: share,
      iou: share.nullable(),
      boundaryIou: share.nullable(),
    }),
  ),
  history: z.array(
    z.object({
      id,
      at: moment,
      verdict: z.string(),
      reason: z.string(),
      by: z.string().nullable(),
      rule: z.string().nullable(),
    }),
  ),
});

const reason = z.string().trim().min(1, 'give the reason: the worker is shown it').max(2000);

export const NewDecision = z.discriminatedUnion('verdict', [
  z.strictObject({ id, verdict: z.literal('accepted') }),
  z.strictObject({ id, verdict: z.literal('rejected'), reason }),
  z.strictObject({ id, verdict: z.literal('sent-back'), reason }),
  z.strictObject({ id, verdict: z.literal('corrected'), value: SubmittedValue }),
]);

const labels = z
  .array(z.strictObject({ labelId: id, id }))
  .min(1)
  .max(200);

export const ManyDecisions = z.discriminatedUnion('verdict', [
  z.strictObject({ verdict: z.literal('accepted'), labels }),
  z.strictObject({ verdict: z.literal('rejected'), reason, labels }),
]);

export const Audit = z.object({
  id,
  stageId: id.nullable(),
  stage: z.string().nullable(),
  seed: z.string(),
  population: z.number().int(),
  size: z.number().int(),
  margin: z.number(),
  confidence: z.number(),
  state: z.enum(['open', 'closed']),
  by: z.string().nullable(),
  at: moment,
  closedAt: moment.nullable(),
  judged: z.number().int(),
  wrong: z.number().int(),
  /** The share of wrong labels with its interval at the audit's confidence. */
  rate: z.object({ value: z.number(), n: z.number().int(), low: z.number(), high: z.number() }).nullable(),
});

export const NewAudit = z.strictObject({
  id,
  stage: id.nullable().default(null),
  margin: z.number().min(0.001).max(0.5),
  confidence: z.union([z.literal(0.9), z.literal(0.95), z.literal(0.99)]).default(0.95),
  expected: z.number().min(0.001).max(0.999).default(0.5),
  seed: z.string().trim().min(1).max(80).optional(),
});
