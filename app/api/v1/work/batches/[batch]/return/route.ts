import { route } from '@/app/api/_http/route';
import { returnBatch } from '../../../endpoints';

export const { POST } = route(returnBatch);
