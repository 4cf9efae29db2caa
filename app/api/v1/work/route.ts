import { route } from '@/app/api/_http/route';
import { listWork } from './stage-endpoints';

export const { GET } = route(listWork);
