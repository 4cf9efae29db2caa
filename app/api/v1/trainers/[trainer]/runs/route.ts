import { route } from '@/app/api/_http/route';
import { takeTrainerRun } from '@/app/api/v1/trainers/endpoints';

export const { POST } = route(takeTrainerRun);
