import { z } from 'zod';
import { batchSummary } from '@/lib/services/crowd/batch-summary';
import {
  heartbeat as beat,
  getBatch as get,
  returnBatch as giveBack,
  submitBatch as submit,
  takeBatch as take,
} from '@/lib/services/crowd/work';
import { endpoint } from '../../_http/endpoint';
import { moment } from '../../_http/fields';
import { Closed, Language, Summary, Taken, WorkBatch } from './fields';

export const takeBatch = endpoint({
  method: 'POST',
  path: '/api/v1/work/stages/{stage}/batch',
  summary: 'Your open batch of a stage, or a new one; null when nothing is left for you',
  output: Taken,
  authorise: { inQuery: 'work.take' },
  handler: async ({ db, actor, params }) => ({ batch: await take(db, actor, { stageId: params.stage }) }),
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
