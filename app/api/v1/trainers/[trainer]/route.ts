import { route } from '@/app/api/_http/route';
import { deleteTrainer } from '@/app/api/v1/trainers/endpoints';

export const { DELETE } = route(deleteTrainer);
