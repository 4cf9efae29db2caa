import { route } from '@/app/api/_http/route';
import { checkVersionExport } from '@/app/api/v1/exports/endpoints';

export const { POST } = route(checkVersionExport);
