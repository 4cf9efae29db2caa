import { route } from '@/app/api/_http/route';
import { heartbeat } from '../../../endpoints';

export const { POST } = route(heartbeat);
