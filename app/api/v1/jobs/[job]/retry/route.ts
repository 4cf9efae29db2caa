import { route } from '@/app/api/_http/route';
import { retryJob } from '../../endpoints';

export const { POST } = route(retryJob);
