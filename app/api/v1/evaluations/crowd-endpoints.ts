import { z } from 'zod';
import { loadCrowdProgress } from '@/lib/services/evaluations/crowd/chain-states';
import {
  createOracleStage,
  findOracleStages,
  NewOracleStage,
  stopCrowdQuestions,
} from '@/lib/services/evaluations/crowd/oracle-stage';
import { endpoint } from '../../_http/endpoint';
import { id } from '../../_http/fields';
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
