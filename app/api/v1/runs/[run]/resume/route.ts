import { route } from '@/app/api/_http/route';
import { resumeTraining } from '@/app/api/v1/runs/endpoints';

export const { POST } = route(resumeTraining);
