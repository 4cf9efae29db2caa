import { route } from '@/app/api/_http/route';
import { deleteProjectSlice } from '@/app/api/v1/slices/endpoints';

export const { DELETE } = route(deleteProjectSlice);
