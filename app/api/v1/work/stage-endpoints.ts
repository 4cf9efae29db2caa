import { z } from 'zod';
import { batchKinds, stageKinds } from '@/db/schema';
import { gateNames, listWork as list, supplies, takeBatch as take } from '@/lib/services/crowd/work';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';
import { Taken } from './fields';

const Offer = z.object({
  project: z.object({ id, name: z.string(), slug: z.string() }),
  stage: z.object({ id, name: z.string(), kind: z.enum(stageKinds) }),
  /** What stands between you and a batch of work; null when nothing does. */
  gate: z
    .object({
      gate: z.enum(gateNames),
      says: z.string(),
      until: moment.optional(),
      /** The decision behind it, to which you may object. */
      decisionId: id.nullable(),
    })
    .nullable(),
  /** The newest message about the quality of your work in this stage. */
  hint: z.string().nullable(),
  openBatch: z.object({ id, leasedUntil: moment, kind: z.enum(batchKinds) }).nullable(),
  /** How much work is left for anybody. */
  supply: z.enum(supplies),
  exam: z
    .object({
      passed: z.boolean(),
      attemptsLeft: z.number().int(),
      waitUntil: moment.nullable(),
      hasPractice: z.boolean(),
    })
    .nullable(),
});

export const listWork = endpoint({
  method: 'GET',
  path: '/api/v1/work',
  summary: 'What you can do now: every open stage of your projects, and what stands before it',
  output: z.object({ stages: z.array(Offer) }),
  authorise: { inQuery: 'work.read' },
  handler: async ({ db, actor }) => ({ stages: await list(db, actor) }),
});

export const takeExam = endpoint({
  method: 'POST',
  path: '/api/v1/work/stages/{stage}/exam',
  summary: 'A new attempt at the exam of a stage, or your open batch; it is paid whether you pass or not',
  output: Taken,
  authorise: { inQuery: 'work.take' },
  handler: async ({ db, actor, params }) => ({
    batch: await take(db, actor, { stageId: params.stage, kind: 'exam' }),
  }),
});

export const takePractice = endpoint({
  method: 'POST',
  path: '/api/v1/work/stages/{stage}/practice',
  summary:
    'Items with feedback, before the exam or as a refresher; null when there is nothing to practise with',
  output: Taken,
  authorise: { inQuery: 'work.take' },
  handler: async ({ db, actor, params }) => ({
    batch: await take(db, actor, { stageId: params.stage, kind: 'practice' }),
  }),
});
