import { route } from '@/app/api/_http/route';
import { releaseTrainerRun } from '@/app/api/v1/trainers/run-endpoints';

export const { POST } = route(releaseTrainerRun);
