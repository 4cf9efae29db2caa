import { z } from 'zod';
import { invalid } from '@/lib/core/errors';
import { compareEvaluations } from '@/lib/services/evaluations/compare-evaluations';
import { EvaluationPlan, NewEvaluation } from '@/lib/services/evaluations/evaluation-request';
import { whyNotComparable } from '@/lib/services/evaluations/leaderboard';
import { getEvaluation } from '@/lib/services/evaluations/list-evaluations';
import { planEvaluation } from '@/lib/services/evaluations/plan-evaluation';
import {
  type AnswerRequestPlan,
  planAnswerRequest,
  requestAnswers,
} from '@/lib/services/evaluations/request-answers';
import { freezeSelection, Selection, sliceSelection } from '@/lib/services/evaluations/selection';
import { pictureKinds, renderPicture } from '@/lib/services/evaluations/variant-pictures';
import { SliceName } from '@/lib/services/images/slices';
import { storage } from '@/lib/services/storage';
import { endpoint } from '../_http/endpoint';
import { id } from '../_http/fields';
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
  summary: 'Preview the effect and cost of requesting new answers for images of an evaluation',
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
  summary: 'Request new answers for images of an evaluation',
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

export const planProjectEvaluation = endpoint({
  method: 'POST',
  path: '/api/v1/projects/{project}/evaluations/plan',
  summary: 'What an evaluation would cost: runs of the model, time, what is known, what is left out',
  body: NewEvaluation,
  output: EvaluationPlan,
  authorise: 'evaluations.write',
  handler: ({ db, access, body, request: { signal } }) =>
    planEvaluation({ db, storage: storage(), signal }, { projectId: access.project.id, evaluation: body }),
});

const ends = { low: z.number().nullable(), high: z.number().nullable(), n: z.number().int() };

export const compareWithEvaluation = endpoint({
  method: 'GET',
  path: '/api/v1/evaluations/{evaluation}/compare',
  summary: 'Paired differences to another evaluation of the same images: the other minus this one',
  query: z.object({ with: id }),
  output: z.object({
    common: z.number().int(),
    used: z.number().int(),
    differences: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        unit: z.enum(['share', 'points', 'number']),
        first: z.number(),
        second: z.number(),
        difference: z.number(),
        ...ends,
      }),
    ),
    agreement: z.object({
      bothRight: z.number().int(),
      onlyFirst: z.number().int(),
      onlySecond: z.number().int(),
      bothWrong: z.number().int(),
      p: z.number(),
    }),
  }),
  authorise: 'project.read',
  projectOf: projectOfEvaluation,
  handler: async ({ db, access, params: { evaluation }, query }) => {
    const of = (evaluationId: string) => getEvaluation(db, { projectId: access.project.id, evaluationId });
    const [a, b] = await Promise.all([of(evaluation), of(query.with)]);
    const why = whyNotComparable(a, b);
    if (why.length > 0) throw invalid(`These evaluations cannot be compared. ${why.join(' ')}`);
    return compareEvaluations(db, { a, b });
  },
});

export const readEvaluationPicture = endpoint({
  method: 'GET',
  path: '/api/v1/evaluations/{evaluation}/images/{image}/picture',
  summary:
    'A picture as the model was given it: changed by a variant, the outline of its object, or where the model looks',
  query: z.object({
    kind: z.enum(pictureKinds).default('picture'),
    variant: z.string().max(200).default('identity'),
    /** Place of the setting among those of the variant. */
    at: z.coerce.number().int().min(0).max(1000).default(0),
  }),
  output: { mediaType: 'image/png' },
  authorise: 'project.read',
  projectOf: projectOfEvaluation,
  handler: async ({ db, access, params: { evaluation, image }, query, request: { signal } }) => {
    const asked = { projectId: access.project.id, evaluationId: evaluation, imageId: image };
    const png = await renderPicture({ db, storage: storage(), signal }, { ...asked, ...query });
    return new Response(new Uint8Array(png), {
      // The same evaluation gives the same picture, for those who may see it.
      headers: { 'content-type': 'image/png', 'cache-control': 'private, max-age=3600' },
    });
  },
});
