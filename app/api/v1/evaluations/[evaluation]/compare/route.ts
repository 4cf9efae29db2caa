import { route } from '@/app/api/_http/route';
import { compareWithEvaluation } from '@/app/api/v1/evaluations/look-endpoints';

export const { GET } = route(compareWithEvaluation);
