import { route } from '@/app/api/_http/route';
import { closeAudit } from '@/app/api/v1/projects/sample-endpoints';

export const { POST } = route(closeAudit);
