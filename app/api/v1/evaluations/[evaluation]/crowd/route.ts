import { route } from '@/app/api/_http/route';
import { readEvaluationCrowd, stopEvaluationCrowd } from '@/app/api/v1/evaluations/crowd-endpoints';

export const { DELETE, GET } = route(readEvaluationCrowd, stopEvaluationCrowd);
