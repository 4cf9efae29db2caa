import { route } from '@/app/api/_http/route';
import { createKey, listKeys } from './endpoints';

export const { GET, POST } = route(createKey, listKeys);
