import { route } from '@/app/api/_http/route';
import { planVersion } from '@/app/api/v1/versions/endpoints';

export const { POST } = route(planVersion);
