import { route } from '@/app/api/_http/route';
import { submitAnswer } from '../../../lease-endpoints';

export const { POST } = route(submitAnswer);
