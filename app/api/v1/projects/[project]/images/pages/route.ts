import { route } from '@/app/api/_http/route';
import { listImagePages } from '@/app/api/v1/images/endpoints';

export const { GET } = route(listImagePages);
