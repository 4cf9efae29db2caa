import { route } from '@/app/api/_http/route';
import { judgeAuditLabel } from '@/app/api/v1/projects/sample-endpoints';

export const { PUT } = route(judgeAuditLabel);
