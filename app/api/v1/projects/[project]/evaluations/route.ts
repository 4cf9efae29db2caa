import { route } from '@/app/api/_http/route';
import { listProjectEvaluations, startProjectEvaluation } from '@/app/api/v1/evaluations/endpoints';

export const { GET, POST } = route(listProjectEvaluations, startProjectEvaluation);
