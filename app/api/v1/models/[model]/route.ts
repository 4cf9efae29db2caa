import { route } from '@/app/api/_http/route';
import { changeModelState, readModel } from '@/app/api/v1/models/endpoints';

export const { GET, PATCH } = route(readModel, changeModelState);
