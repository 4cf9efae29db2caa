import { route } from '@/app/api/_http/route';
import { compareVersions } from '@/app/api/v1/versions/endpoints';

export const { GET } = route(compareVersions);
