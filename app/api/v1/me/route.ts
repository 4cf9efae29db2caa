import { route } from '@/app/api/_http/route';
import { getMe } from './endpoints';

export const { GET } = route(getMe);
