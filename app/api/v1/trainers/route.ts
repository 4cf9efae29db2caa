import { route } from '@/app/api/_http/route';
import { addTrainer, listAllTrainers } from '@/app/api/v1/trainers/endpoints';

export const { GET, POST } = route(addTrainer, listAllTrainers);
