import { z } from 'zod';
import type { Database } from '@/db';
import { batchKinds, stageKinds } from '@/db/schema';
import type { UserActor } from '@/lib/services/access';
import { prepareBatch } from '@/lib/services/assists';
import { batchSummary } from '@/lib/services/crowd/batch-summary';
import { appeal as object, requireOwnDecision } from '@/lib/services/crowd/trust';
import {
  heartbeat as beat,
  gateNames,
  getBatch as get,
  returnBatch as giveBack,
  listWork as list,
  submitBatch as submit,
  supplies,
  takeBatch as take,
} from '@/lib/services/crowd/work';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';
import { afterLookup } from '../_http/input';
import { Closed, Language, Summary, Taken, WorkBatch } from './work-fields';

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

/** Takes a batch, and has its first images prepared for the smart tools. */
async function taken(db: Database, actor: UserActor, input: Parameters<typeof take>[2]) {
  const batch = await take(db, actor, input);
  if (batch) await prepareBatch(db, actor, batch.id);
  return { batch };
}

export const takeExam = endpoint({
  method: 'POST',
  path: '/api/v1/work/stages/{stage}/exam',
  summary: 'A new attempt at the exam of a stage, or your open batch; it is paid whether you pass or not',
  output: Taken,
  authorise: { inQuery: 'work.take' },
  handler: ({ db, actor, params }) => taken(db, actor, { stageId: params.stage, kind: 'exam' }),
});

export const takePractice = endpoint({
  method: 'POST',
  path: '/api/v1/work/stages/{stage}/practice',
  summary:
    'Items with feedback, before the exam or as a refresher; null when there is nothing to practise with',
  output: Taken,
  authorise: { inQuery: 'work.take' },
  handler: ({ db, actor, params }) => taken(db, actor, { stageId: params.stage, kind: 'practice' }),
});

const text = afterLookup(
  z.strictObject({
    /** A UUID of your own making: the same id is the same appeal, however often it is sent. */
    id,
    text: z.string().trim().min(1).max(4000),
  }),
);

export const appealDecision = endpoint({
  method: 'POST',
  path: '/api/v1/work/decisions/{decision}/appeal',
  summary: 'Object to a decision about you, once; a curator answers',
  body: text.body,
  output: z.object({ appealId: id, createdAt: moment }),
  authorise: { inQuery: 'work.appeal' },
  handler: async ({ db, actor, params, body }) => {
    await requireOwnDecision(db, actor, params.decision);
    const { id: appealId, text: says } = text.parse(body);
    return object(db, actor, { decisionId: params.decision, appealId, text: says });
  },
});

export const takeBatch = endpoint({
  method: 'POST',
  path: '/api/v1/work/stages/{stage}/batch',
  summary: 'Your open batch of a stage, or a new one; null when nothing is left for you',
  output: Taken,
  authorise: { inQuery: 'work.take' },
  handler: ({ db, actor, params }) => taken(db, actor, { stageId: params.stage }),
});

export const getBatch = endpoint({
  method: 'GET',
  path: '/api/v1/work/batches/{batch}',
  summary: 'Your batch: its items in order, with images, drafts, answers and the schema they are pinned to',
  query: z.strictObject({ language: Language.optional() }),
  output: WorkBatch,
  authorise: { inQuery: 'work.read' },
  handler: ({ db, actor, params, query }) => get(db, actor, { batchId: params.batch, ...query }),
});

export const heartbeat = endpoint({
  method: 'POST',
  path: '/api/v1/work/batches/{batch}/heartbeat',
  summary: 'Say that you are still there: the batch stays yours',
  output: z.object({ leasedUntil: moment }),
  authorise: { inQuery: 'work.finish' },
  handler: ({ db, actor, params }) => beat(db, actor, { batchId: params.batch }),
});

export const submitBatch = endpoint({
  method: 'POST',
  path: '/api/v1/work/batches/{batch}/submit',
  summary: 'Submit the batch: items that are done or answered are paid, the others go back',
  output: Closed,
  authorise: { inQuery: 'work.finish' },
  handler: ({ db, actor, params }) => submit(db, actor, { batchId: params.batch }),
});

export const returnBatch = endpoint({
  method: 'POST',
  path: '/api/v1/work/batches/{batch}/return',
  summary: 'Give the batch back: its open items go to others and do not come again',
  output: Closed,
  authorise: { inQuery: 'work.finish' },
  handler: ({ db, actor, params }) => giveBack(db, actor, { batchId: params.batch }),
});

export const getSummary = endpoint({
  method: 'GET',
  path: '/api/v1/work/batches/{batch}/summary',
  summary: 'What came of your batch: pay, time, the result of an exam, and your score over the stage so far',
  output: Summary,
  authorise: { inQuery: 'work.read' },
  handler: ({ db, actor, params }) => batchSummary(db, actor, { batchId: params.batch }),
});
