import { route } from '@/app/api/_http/route';
import { describe, readVersion } from '@/app/api/v1/versions/endpoints';

export const { GET, PATCH } = route(readVersion, describe);
