import { route } from '@/app/api/_http/route';
import { keepImage } from '@/app/api/v1/images/change-endpoints';

export const { POST } = route(keepImage);
