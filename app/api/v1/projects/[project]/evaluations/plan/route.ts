import { route } from '@/app/api/_http/route';
import { planProjectEvaluation } from '@/app/api/v1/evaluations/look-endpoints';

export const { POST } = route(planProjectEvaluation);
