import { route } from '@/app/api/_http/route';
import { takePractice } from '../../../stage-endpoints';

export const { POST } = route(takePractice);
