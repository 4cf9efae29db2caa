import { z } from 'zod';
import { notFound } from '@/lib/core/errors';
import { stageAgreement, stagesWithAnswers } from '@/lib/services/curation/agreement/stage-agreement';
import { listRuns, Tally } from '@/lib/services/curation/consensus/list-runs';
import { startRun, startTakingBack } from '@/lib/services/curation/consensus/start-run';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';

/** A figure with the items behind it and its 95 % interval; or why there is none. */
const Estimate = z.union([
  z.object({ value: z.number(), n: z.number().int(), low: z.number(), high: z.number() }),
  z.object({ value: z.null(), n: z.number().int(), reason: z.string() }),
]);

const Agreement = z.object({
  /** Items with two answers or more, and how many of them were looked at. */
  population: z.number().int(),
  sampled: z.number().int(),
  /** By attribute, for stages that ask for attributes or the class. */
  forms: z.array(
    z.object({ target: z.string(), raw: Estimate, alpha: Estimate, ac1: Estimate, prevalence: Estimate }),
  ),
  /** By part, for stages that ask for masks. */
  drawings: z.array(
    z.object({
      target: z.string(),
      detection: z.object({ raw: Estimate, ac1: Estimate }),
      iou: Estimate,
      boundaryIou: Estimate,
    }),
  ),
});

export const getAgreement = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/stages/{stage}/agreement',
  summary: 'How far people who answered the same items of a stage agree',
  output: Agreement,
  authorise: 'project.read',
  handler: async ({ db, access, params }) => {
    const stages = await stagesWithAnswers(db, access.project.id);
    const stage = stages.find((each) => each.id === params.stage);
    if (!stage) throw notFound('stage');
    const found = await stageAgreement(db, stage, await readProjectSchema(db, access.project.id));
    const { population, sampled } = found;
    return {
      population,
      sampled,
      forms: found.kind === 'forms' ? found.rows : [],
      drawings: found.kind === 'drawings' ? found.rows : [],
    };
  },
});

const Run = z.object({
  id,
  stageId: id,
  stage: z.string(),
  method: z.string(),
  state: z.enum(['building', 'applied', 'taken-back', 'failed']),
  jobId: id.nullable(),
  by: z.string().nullable(),
  at: moment,
  finishedAt: moment.nullable(),
  tally: Tally,
});

export const listConsensusRuns = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/consensus-runs',
  summary: 'The newest consensus runs of a project with what they changed',
  output: z.object({ items: z.array(Run) }),
  authorise: 'project.read',
  handler: async ({ db, access }) => ({ items: await listRuns(db, access.project.id) }),
});

const Started = z.object({ id, jobId: id });

export const buildConsensus = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/consensus-runs',
  summary: 'Start a job that merges the answers of a stage into labels',
  body: z.strictObject({ stage: id, method: z.string().max(80) }),
  output: Started,
  status: 202,
  authorise: 'consensus.write',
  handler: ({ db, actor, access, body: { stage, method } }) =>
    startRun(db, actor, { projectId: access.project.id, stageId: stage, method }),
});

export const takeBackConsensus = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/consensus-runs/{run}/take-back',
  summary: 'Start a job that makes the labels before a run current again',
  output: Started,
  status: 202,
  authorise: 'consensus.write',
  handler: async ({ db, actor, access, params: { run } }) => ({
    id: run,
    ...(await startTakingBack(db, actor, { projectId: access.project.id, runId: run })),
  }),
});
