import { route } from '@/app/api/_http/route';
import { getOpenApi } from './endpoints';

export const { GET } = route(getOpenApi);
