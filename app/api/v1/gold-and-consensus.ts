import { z } from 'zod';
import { goldStates, stageKinds } from '@/db/schema';
import { notFound } from '@/lib/core/errors';
import { decideAboutGold } from '@/lib/services/crowd/gold';
import { SubmittedValue } from '@/lib/services/crowd/work';
import { stageAgreement, stagesWithAnswers } from '@/lib/services/curation/agreement/stage-agreement';
import { listRuns, Tally } from '@/lib/services/curation/consensus/list-runs';
import { startRun, startTakingBack } from '@/lib/services/curation/consensus/start-run';
import { authorGold, importGold as importLines, listGold as list } from '@/lib/services/curation/gold';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { endpoint } from '../_http/endpoint';
import { decodeCursor, encodeCursor, id, idPosition, moment, pageOf, pageQuery } from '../_http/fields';
import { readText } from '../_http/input';

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
      instances: Estimate,
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

/** Bytes of a drawing, and of a file of lines. */
const ANSWER_BYTES = 4_000_000;
const FILE_BYTES = 32_000_000;

const Share = z.object({ value: z.number(), n: z.number().int(), low: z.number(), high: z.number() });

const ListedGold = z.object({
  id,
  state: z.enum(goldStates),
  stageId: id,
  stageKind: z.enum(stageKinds),
  imageId: id,
  image: z.string(),
  className: z.string().nullable(),
  target: z.string(),
  exposures: z.number().int(),
  /** Of the checks that were scored; null before the first. */
  passed: Share.nullable(),
  hasDrifted: z.boolean(),
  author: z.string().nullable(),
  confirmedBy: z.string().nullable(),
  createdAt: moment,
});

export const listGold = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/gold',
  summary: 'Gold items with how they fared, newest first',
  query: pageQuery.extend({
    state: z.enum(goldStates).optional(),
    stage: id.optional(),
    target: z.string().max(80).optional(),
  }),
  output: pageOf(ListedGold),
  authorise: 'gold.read',
  handler: async ({ db, access, query: { limit, cursor, state, stage, target } }) => {
    const after = decodeCursor(idPosition, cursor)?.[0];
    const page = await list(db, {
      projectId: access.project.id,
      state,
      stageId: stage,
      target,
      after,
      limit,
    });
    return { items: page.gold, next: page.next && encodeCursor([page.next]) };
  },
});

export const writeGold = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/gold',
  summary: 'Answer a question for good; in use at once, or a candidate that somebody confirms',
  body: z.strictObject({
    stageId: id,
    imageId: id,
    target: z.string().max(80).default(''),
    value: SubmittedValue,
    use: z.boolean().default(false),
  }),
  bodyLimit: ANSWER_BYTES,
  output: z.object({ goldId: id, state: z.enum(['active', 'candidate']) }),
  status: 201,
  authorise: 'gold.write',
  handler: ({ db, actor, access, body }) => authorGold(db, actor, { projectId: access.project.id, ...body }),
});

export const importGold = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/gold/import',
  summary:
    'Take in gold, one JSON object per line; every line is imported, unchanged or refused with a reason',
  query: z.strictObject({ use: z.enum(['true', 'false']).default('false') }),
  body: { mediaType: 'application/x-ndjson' },
  output: z.object({
    lines: z.number().int(),
    imported: z.number().int(),
    unchanged: z.number().int(),
    refused: z.array(z.object({ line: z.number().int(), reason: z.string() })),
  }),
  authorise: 'gold.write',
  handler: async ({ db, actor, access, query, request }) => {
    const text = await readText(request, FILE_BYTES);
    return importLines(db, actor, { projectId: access.project.id, text, use: query.use === 'true' });
  },
});

export const decideGold = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/gold/{gold}/decision',
  summary: 'Confirm, retire, exclude or restore a gold item',
  body: z.strictObject({
    state: z.enum(['active', 'excluded', 'retired']),
    reason: z.string().trim().min(1).max(500),
  }),
  output: null,
  authorise: 'gold.write',
  handler: async ({ db, actor, params, body }) => {
    await decideAboutGold(db, actor, { goldId: params.gold, ...body });
  },
});
