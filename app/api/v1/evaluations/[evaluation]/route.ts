import { route } from '@/app/api/_http/route';
import { readEvaluation } from '@/app/api/v1/evaluations/endpoints';

export const { GET } = route(readEvaluation);
