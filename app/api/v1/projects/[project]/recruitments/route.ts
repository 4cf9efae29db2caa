import { route } from '@/app/api/_http/route';
import { createRecruitment, listRecruitments } from '@/app/api/v1/recruit/endpoints';

export const { GET, POST } = route(listRecruitments, createRecruitment);
