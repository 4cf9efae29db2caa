import { route } from '@/app/api/_http/route';
import { changeImages } from '@/app/api/v1/images/change-endpoints';

export const { POST } = route(changeImages);
