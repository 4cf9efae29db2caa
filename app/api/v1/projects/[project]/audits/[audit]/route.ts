import { route } from '@/app/api/_http/route';
import { getAudit } from '@/app/api/v1/projects/sample-endpoints';

export const { GET } = route(getAudit);
