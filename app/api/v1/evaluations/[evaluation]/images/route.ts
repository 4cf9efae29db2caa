import { route } from '@/app/api/_http/route';
import { readEvaluationImages } from '@/app/api/v1/evaluations/endpoints';

export const { GET } = route(readEvaluationImages);
