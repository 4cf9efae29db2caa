import { z } from 'zod';
import { loadCrowdProgress } from '@/lib/services/evaluations/crowd/chain-states';
import {
  createOracleStage,
  findOracleStages,
  NewOracleStage,
  stopCrowdQuestions,
} from '@/lib/services/evaluations/crowd/oracle-stage';
import { EvaluationOptions, NewEvaluation } from '@/lib/services/evaluations/evaluation-request';
import { GalleryQuery, loadGallery } from '@/lib/services/evaluations/gallery';
import { getEvaluation, listEvaluations } from '@/lib/services/evaluations/list-evaluations';
import { startEvaluation } from '@/lib/services/evaluations/start-evaluation';
import { endpoint } from '../_http/endpoint';
import { id, moment } from '../_http/fields';
import { projectOfEvaluation } from './project-of-evaluation';

const count = z.number().int();

export const listOracleStages = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/oracle-stages',
  summary: 'Stages in which people say what pictures of evaluations show',
  output: z.object({
    items: z.array(z.object({ id, name: z.string(), state: z.string(), people: count })),
  }),
  authorise: 'project.read',
  handler: async ({ db, access }) => {
    const stages = await findOracleStages(db, access.project.id);
    return {
      items: stages.map(({ policy, ...stage }) => ({
        ...{ id: stage.id, name: stage.name, state: stage.state },
        people: policy.overlap,
      })),
    };
  },
});

export const makeProjectOracleStage = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/oracle-stages',
  summary: 'Make a stage in which people say what pictures of evaluations show',
  body: NewOracleStage,
  output: z.object({ id }),
  status: 201,
  authorise: 'crowd.manage',
  handler: ({ db, actor, access, body }) =>
    createOracleStage(db, actor, { projectId: access.project.id, stage: body }),
});

export const readEvaluationCrowd = endpoint({
  method: 'GET',
  path: '/api/v1/evaluations/{evaluation}/crowd',
  summary: 'How far people have come with the questions of an evaluation',
  output: z.object({
    ...{ images: count, questions: count, open: count, most: count, answers: count, people: count },
  }),
  authorise: 'project.read',
  projectOf: projectOfEvaluation,
  handler: ({ db, params }) => loadCrowdProgress(db, params.evaluation),
});

export const stopEvaluationCrowd = endpoint({
  method: 'DELETE',
  path: '/api/v1/evaluations/{evaluation}/crowd',
  summary: 'Stop an evaluation that waits for people; what was answered is kept',
  output: z.object({ withdrawn: count }),
  authorise: 'evaluations.write',
  projectOf: projectOfEvaluation,
  handler: ({ db, actor, access, params }) =>
    stopCrowdQuestions(db, actor, { projectId: access.project.id, evaluationId: params.evaluation }),
});

const Evaluation = z.object({
  id,
  suite: z.string(),
  options: EvaluationOptions,
  state: z.enum(['queued', 'running', 'waiting', 'done', 'failed', 'cancelled']),
  versionId: id,
  version: z.number().int(),
  versionHash: z.string(),
  modelId: id,
  model: z.string(),
  modelSha256: z.string(),
  metrics: z.record(z.string(), z.unknown()).nullable(),
  jobId: id.nullable(),
  text: z.string(),
  done: z.number().int(),
  total: z.number().int().nullable(),
  error: z.string().nullable(),
  by: z.string().nullable(),
  at: moment,
  finishedAt: moment.nullable(),
});

const plain = <T extends { metrics: unknown }>(view: T) => ({
  ...view,
  metrics: view.metrics as Record<string, unknown> | null,
});

export const listProjectEvaluations = endpoint({
  method: 'GET',
  path: '/api/v1/projects/{project}/evaluations',
  summary: 'The evaluations of a project, newest first, with their findings',
  query: z.object({ model: id.optional() }),
  output: z.object({ items: z.array(Evaluation) }),
  authorise: 'project.read',
  handler: async ({ db, access, query }) => {
    const items = await listEvaluations(db, { projectId: access.project.id, modelId: query.model });
    return { items: items.map(plain) };
  },
});

export const startProjectEvaluation = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/evaluations',
  summary: 'Evaluate a model on a version',
  body: NewEvaluation,
  output: z.object({ id, jobId: id }),
  authorise: 'evaluations.write',
  handler: ({ db, actor, access, body }) =>
    startEvaluation(db, actor, { projectId: access.project.id, evaluation: body }),
});

export const readEvaluation = endpoint({
  method: 'GET',
  path: '/api/v1/evaluations/{evaluation}',
  summary: 'One evaluation with all that it found',
  output: Evaluation,
  authorise: 'project.read',
  projectOf: projectOfEvaluation,
  handler: async ({ db, access, params: { evaluation } }) =>
    plain(await getEvaluation(db, { projectId: access.project.id, evaluationId: evaluation })),
});

export const readEvaluationImages = endpoint({
  method: 'GET',
  path: '/api/v1/evaluations/{evaluation}/images',
  summary: 'Images of an evaluation with what the model said and their scores',
  query: GalleryQuery,
  output: z.object({
    total: z.number().int(),
    items: z.array(
      z.object({
        imageId: id,
        name: z.string(),
        className: z.string(),
        predicted: z.string(),
        isRight: z.boolean(),
        scores: z.record(z.string(), z.number().nullable()),
        thumbnail: z
          .object({ url: z.string(), width: z.number().int(), height: z.number().int() })
          .nullable(),
      }),
    ),
  }),
  authorise: 'project.read',
  projectOf: projectOfEvaluation,
  handler: ({ db, params: { evaluation }, query }) => loadGallery(db, evaluation, query),
});
