import { route } from '@/app/api/_http/route';
import { getBatch } from '../../endpoints';

export const { GET } = route(getBatch);
