import { route } from '@/app/api/_http/route';
import { getJob } from '../endpoints';

export const { GET } = route(getJob);
