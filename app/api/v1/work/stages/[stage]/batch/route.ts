import { route } from '@/app/api/_http/route';
import { takeBatch } from '../../../endpoints';

export const { POST } = route(takeBatch);
