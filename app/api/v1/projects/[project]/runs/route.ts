import { route } from '@/app/api/_http/route';
import { listProjectRuns, startProjectRuns } from '@/app/api/v1/runs/endpoints';

export const { GET, POST } = route(listProjectRuns, startProjectRuns);
