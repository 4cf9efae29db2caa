import { z } from 'zod';
import { standingStates } from '@/db/schema';
import { trustOf } from '@/lib/core/quality/trust';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { getWorker as get } from '@/lib/services/crowd/overview/get-worker';
import {
  estimatesOf,
  listWorkers as list,
  type WorkerRow,
  workerOrders,
  workerStates,
} from '@/lib/services/crowd/overview/list-workers';
import { workerDecisions } from '@/lib/services/crowd/overview/worker-evidence';
import { examAttempts, workerChecks, workerStages } from '@/lib/services/crowd/overview/worker-stages';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { endpoint } from '../_http/endpoint';
import { decodeCursor, id, idPosition, moment, pageOf, pageQuery, toPage } from '../_http/fields';

/** An estimate with the number of cases behind it and its 95 % interval. */
const Estimate = z
  .object({ value: z.number(), n: z.number().int(), low: z.number(), high: z.number() })
  .nullable();

/** In millionths of the currency, as text: the numbers of JSON are too small. */
const Micro = z.string();

const Worker = z.object({
  id,
  name: z.string(),
  cohort: z.string().nullable(),
  isMember: z.boolean(),
  state: z.enum(workerStates),
  stages: z.array(
    z.object({
      stageId: id,
      standing: z.enum(standingStates).nullable(),
      attempts: z.number().int(),
      passed: z.boolean(),
    }),
  ),
  openAppeals: z.number().int(),
  items: z.number().int(),
  activeMs: z.number(),
  checks: z.number().int(),
  passed: Estimate,
  precision: Estimate,
  recall: Estimate,
  maskScore: Estimate,
  meanIou: z.number().nullable(),
  earnedMicro: Micro,
  currency: z.string().nullable(),
  lastSeen: moment.nullable(),
});

function describe(row: WorkerRow): z.input<typeof Worker> {
  const { passed, precision, recall, maskScore } = estimatesOf(row);
  return { ...row, passed, precision, recall, maskScore, earnedMicro: String(row.earnedMicro) };
}

export const listWorkers = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/crowd/workers',
  summary: 'The workers of a project with their scores; open appeals first',
  query: pageQuery.extend({
    search: z.string().trim().max(200).optional(),
    state: z.enum(workerStates).optional(),
    stage: id.optional(),
    sort: z.enum(workerOrders).optional(),
    order: z.enum(['ascending', 'descending']).default('descending'),
  }),
  output: pageOf(Worker),
  authorise: 'crowd.read',
  handler: async ({ db, access, query }) => {
    const { limit, cursor, search, state, stage, sort, order } = query;
    const { rows } = await list(db, access.project.id, {
      limit: limit + 1,
      after: decodeCursor(idPosition, cursor)?.[0],
      search: search || undefined,
      state,
      stageId: stage,
      sort: sort && { key: sort, descending: order === 'descending' },
    });
    return toPage(rows.map(describe), limit, (row) => [row.id]);
  },
});

const Trust = z.object({
  n: z.number().int(),
  passRate: Estimate,
  precision: Estimate,
  recall: Estimate,
  iou: Estimate,
});

const Appeal = z.object({
  id,
  text: z.string(),
  outcome: z.enum(['granted', 'upheld']).nullable(),
  reply: z.string().nullable(),
  at: moment,
  answeredAt: moment.nullable(),
});

const WorkerDetails = z.object({
  id,
  name: z.string(),
  cohort: z.string().nullable(),
  isMember: z.boolean(),
  joinedAt: moment.nullable(),
  consent: z
    .object({
      kind: z.enum(['agreed', 'withdrawn']),
      number: z.number().int(),
      /** In which the text was read. */
      language: z.string(),
      at: moment,
    })
    .nullable(),
  earnedMicro: Micro,
  paidMicro: Micro,
  currency: z.string().nullable(),
  stages: z.array(
    z.object({
      stageId: id,
      name: z.string(),
      standing: z.enum(standingStates).nullable(),
      items: z.number().int(),
      medianSeconds: z.number().nullable(),
      /** Of hidden checks in ordinary work. */
      trust: Trust,
      byTarget: z.record(z.string(), Trust),
    }),
  ),
  exams: z.array(
    z.object({
      stageId: id,
      attempt: z.number().int(),
      precision: z.number().nullable(),
      recall: z.number().nullable(),
      accuracy: z.number().nullable(),
      meanIou: z.number().nullable(),
      passed: z.boolean(),
      finishedAt: moment,
    }),
  ),
  decisions: z.array(
    z.object({
      id,
      stageId: id.nullable(),
      verdict: z.string(),
      reason: z.string(),
      rule: z.string().nullable(),
      at: moment,
      appeal: Appeal.nullable(),
    }),
  ),
});

export const getWorker = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/crowd/workers/{worker}',
  summary: 'One worker: scores by stage, attribute and part, exams, decisions and appeals',
  output: WorkerDetails,
  authorise: 'crowd.read',
  handler: async ({ db, access: { project }, params: { worker } }) => {
    const person = await get(db, project.id, worker);
    const schema = await readProjectSchema(db, project.id);
    const [stages, work, checks, exams, decisions] = await Promise.all([
      crowdStages(db, project),
      workerStages(db, project.id, worker),
      workerChecks(db, project.id, worker),
      examAttempts(db, project.id, { options: schema?.attributes.length ?? 0, workerId: worker }),
      workerDecisions(db, project.id, worker),
    ]);
    return {
      ...person,
      earnedMicro: String(person.earnedMicro),
      paidMicro: String(person.paidMicro),
      stages: work.map((each) => {
        const own = checks.filter((check) => check.stageId === each.stageId && check.kind === 'work');
        const { all, byTarget } = trustOf(
          own.map(({ target, passed, score }) => ({ target, passed: passed ?? false, score: score ?? {} })),
        );
        const name = stages.find((stage) => stage.id === each.stageId)?.name ?? '';
        return { ...each, name, trust: all, byTarget };
      }),
      exams,
      decisions,
    };
  },
});
