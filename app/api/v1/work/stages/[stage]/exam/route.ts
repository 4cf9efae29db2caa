import { route } from '@/app/api/_http/route';
import { takeExam } from '../../../stage-endpoints';

export const { POST } = route(takeExam);
