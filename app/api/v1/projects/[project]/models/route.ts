import { route } from '@/app/api/_http/route';
import { listProjectModels } from '@/app/api/v1/models/endpoints';

export const { GET } = route(listProjectModels);
