import { route } from '@/app/api/_http/route';
import { decideLabel } from '@/app/api/v1/projects/audit-endpoints';

export const { POST } = route(decideLabel);
