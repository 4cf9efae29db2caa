import { route } from '@/app/api/_http/route';
import { listWorkers } from '@/app/api/v1/projects/crowd-endpoints';

export const { GET } = route(listWorkers);
