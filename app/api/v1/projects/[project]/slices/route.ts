import { route } from '@/app/api/_http/route';
import { listProjectSlices, makeProjectSlice } from '@/app/api/v1/slices/endpoints';

export const { GET, POST } = route(listProjectSlices, makeProjectSlice);
