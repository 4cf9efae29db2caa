import { route } from '@/app/api/_http/route';
import { readTrainerFile, sendTrainerFile } from '@/app/api/v1/trainers/run-endpoints';

export const { GET, PUT } = route(readTrainerFile, sendTrainerFile);
