import { route } from '@/app/api/_http/route';
import { importUpload } from '@/app/api/v1/uploads/dataset-endpoints';

export const { POST } = route(importUpload);
