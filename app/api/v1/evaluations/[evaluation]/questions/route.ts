import { route } from '@/app/api/_http/route';
import { askEvaluationQuestions } from '@/app/api/v1/evaluations/selection-endpoints';

export const { POST } = route(askEvaluationQuestions);
