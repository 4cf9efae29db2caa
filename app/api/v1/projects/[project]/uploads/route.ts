import { route } from '@/app/api/_http/route';
import { listUploads, startUpload } from '@/app/api/v1/uploads/endpoints';

export const { GET, POST } = route(listUploads, startUpload);
