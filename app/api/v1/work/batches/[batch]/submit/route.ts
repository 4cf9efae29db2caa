import { route } from '@/app/api/_http/route';
import { submitBatch } from '../../../endpoints';

export const { POST } = route(submitBatch);
