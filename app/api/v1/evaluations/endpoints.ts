import { z } from 'zod';
import { EvaluationOptions, NewEvaluation } from '@/lib/services/evaluations/evaluation-request';
import { GalleryQuery, loadGallery } from '@/lib/services/evaluations/gallery';
import { getEvaluation, listEvaluations } from '@/lib/services/evaluations/list-evaluations';
import { startEvaluation } from '@/lib/services/evaluations/start-evaluation';
import { endpoint } from '../../_http/endpoint';
import { id, moment } from '../../_http/fields';
import { projectOfEvaluation } from './project-of-evaluation';

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
