import { route } from '@/app/api/_http/route';
import { verifyVersion } from '@/app/api/v1/versions/endpoints';

export const { POST } = route(verifyVersion);
