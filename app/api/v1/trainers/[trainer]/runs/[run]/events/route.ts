import { route } from '@/app/api/_http/route';
import { sendTrainerEvents } from '@/app/api/v1/trainers/run-endpoints';

export const { POST } = route(sendTrainerEvents);
