import { route } from '@/app/api/_http/route';
import { listRunEvents } from '@/app/api/v1/runs/endpoints';

export const { GET } = route(listRunEvents);
