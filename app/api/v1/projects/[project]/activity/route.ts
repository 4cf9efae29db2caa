import { route } from '@/app/api/_http/route';
import { listActivity } from '@/app/api/v1/projects/activity-endpoints';

export const { GET } = route(listActivity);
