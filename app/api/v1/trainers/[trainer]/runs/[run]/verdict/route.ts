import { route } from '@/app/api/_http/route';
import { sendTrainerVerdict } from '@/app/api/v1/trainers/run-endpoints';

export const { POST } = route(sendTrainerVerdict);
