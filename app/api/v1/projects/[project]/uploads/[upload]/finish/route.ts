import { route } from '@/app/api/_http/route';
import { finishUpload } from '@/app/api/v1/uploads/endpoints';

export const { POST } = route(finishUpload);
