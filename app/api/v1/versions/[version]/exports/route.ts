import { route } from '@/app/api/_http/route';
import { exportVersion, listVersionExports } from '@/app/api/v1/exports/endpoints';

export const { GET, POST } = route(listVersionExports, exportVersion);
