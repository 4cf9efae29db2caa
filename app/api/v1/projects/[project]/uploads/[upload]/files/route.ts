import { route } from '@/app/api/_http/route';
import { listUploadFiles, sendFile } from '@/app/api/v1/uploads/endpoints';

export const { GET, PUT } = route(listUploadFiles, sendFile);
