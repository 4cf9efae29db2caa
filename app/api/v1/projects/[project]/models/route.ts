import { route } from '@/app/api/_http/route';
import { addProjectModel, listProjectModels } from '@/app/api/v1/models/endpoints';

export const { GET, POST } = route(listProjectModels, addProjectModel);
