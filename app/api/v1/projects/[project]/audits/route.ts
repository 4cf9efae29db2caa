import { route } from '@/app/api/_http/route';
import { drawAudit, listAudits } from '@/app/api/v1/projects/sample-endpoints';

export const { GET, POST } = route(listAudits, drawAudit);
