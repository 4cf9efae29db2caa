import { route } from '@/app/api/_http/route';
import { cancelJob } from '../../endpoints';

export const { POST } = route(cancelJob);
