import { route } from '@/app/api/_http/route';
import { listUsers } from './endpoints';

export const { GET } = route(listUsers);
