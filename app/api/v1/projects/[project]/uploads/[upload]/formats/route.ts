import { route } from '@/app/api/_http/route';
import { detectUpload } from '@/app/api/v1/uploads/dataset-endpoints';

export const { GET } = route(detectUpload);
