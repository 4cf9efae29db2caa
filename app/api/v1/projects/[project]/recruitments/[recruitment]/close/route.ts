import { route } from '@/app/api/_http/route';
import { closeRecruitment } from '@/app/api/v1/recruit/endpoints';

export const { POST } = route(closeRecruitment);
