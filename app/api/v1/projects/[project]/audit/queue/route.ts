import { route } from '@/app/api/_http/route';
import { auditQueue } from '@/app/api/v1/projects/audit-endpoints';

export const { GET } = route(auditQueue);
