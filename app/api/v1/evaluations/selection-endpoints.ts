import { z } from 'zod';
import {
  type AnswerRequestPlan,
  planAnswerRequest,
  requestAnswers,
} from '@/lib/services/evaluations/request-answers';
import { freezeSelection, Selection, sliceSelection } from '@/lib/services/evaluations/selection';
import { SliceName } from '@/lib/services/images/slices';
import { endpoint } from '../../_http/endpoint';
import { id } from '../../_http/fields';
import { projectOfEvaluation } from './project-of-evaluation';

const Named = z.strictObject({ name: SliceName, selection: Selection });

export const sliceEvaluation = endpoint({
  method: 'POST',
  path: '/api/v1/evaluations/{evaluation}/slices',
  summary: 'Make a slice of images of an evaluation, picked or by a filter of its gallery',
  body: Named,
  output: z.object({ id, name: z.string(), images: z.number().int() }),
  status: 201,
  authorise: 'evaluations.write',
  projectOf: projectOfEvaluation,
  handler: ({ db, actor, access, params, body }) =>
    sliceSelection(db, actor, {
      projectId: access.project.id,
      evaluationId: params.evaluation,
      ...body,
    }),
});

export const freezeEvaluationSet = endpoint({
  method: 'POST',
  path: '/api/v1/evaluations/{evaluation}/evaluation-sets',
  summary: 'Freeze images of an evaluation as an evaluation set: a tagged version with all of them in `test`',
  body: Named,
  output: z.object({ sliceId: id, images: z.number().int(), jobId: id, tag: z.string() }),
  status: 202,
  authorise: 'data.freeze',
  projectOf: projectOfEvaluation,
  handler: ({ db, actor, access, params, body }) =>
    freezeSelection(db, actor, {
      projectId: access.project.id,
      evaluationId: params.evaluation,
      ...body,
    }),
});

const Asking = z.strictObject({
  selection: Selection,
  stage: id,
  /** Further answers for each question. */
  answers: z.number().int().min(1).max(10).default(1),
});

const Plan = z.object({
  images: z.number().int(),
  questions: z.number().int(),
  waiting: z.number().int(),
  gold: z.number().int(),
  currency: z.string(),
  /** In millionths of the currency. */
  costMicro: z.string(),
  mostMicro: z.string(),
});

const plain = ({ costMicro, mostMicro, ...plan }: AnswerRequestPlan) => ({
  ...plan,
  costMicro: String(costMicro),
  mostMicro: String(mostMicro),
});

export const planEvaluationQuestions = endpoint({
  method: 'POST',
  path: '/api/v1/evaluations/{evaluation}/questions/plan',
  summary: 'What asking people anew about images of an evaluation would mean and cost',
  body: Asking,
  output: Plan,
  authorise: 'crowd.manage',
  projectOf: projectOfEvaluation,
  handler: async ({ db, actor, access, params, body: { stage, ...asking } }) =>
    plain(
      await planAnswerRequest(db, actor, {
        projectId: access.project.id,
        evaluationId: params.evaluation,
        stageId: stage,
        ...asking,
      }),
    ),
});

export const askEvaluationQuestions = endpoint({
  method: 'POST',
  path: '/api/v1/evaluations/{evaluation}/questions',
  summary: 'Ask people anew about images of an evaluation',
  body: Asking,
  output: Plan,
  authorise: 'crowd.manage',
  projectOf: projectOfEvaluation,
  handler: async ({ db, actor, access, params, body: { stage, ...asking } }) =>
    plain(
      await requestAnswers(db, actor, {
        projectId: access.project.id,
        evaluationId: params.evaluation,
        stageId: stage,
        ...asking,
      }),
    ),
});
