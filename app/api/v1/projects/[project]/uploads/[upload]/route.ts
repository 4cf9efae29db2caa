import { route } from '@/app/api/_http/route';
import { getUpload } from '@/app/api/v1/uploads/endpoints';

export const { GET } = route(getUpload);
