import { route } from '@/app/api/_http/route';
import { auditLabel } from '@/app/api/v1/projects/audit-endpoints';

export const { GET } = route(auditLabel);
