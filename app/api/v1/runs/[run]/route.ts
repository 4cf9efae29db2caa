import { route } from '@/app/api/_http/route';
import { readRun } from '@/app/api/v1/runs/endpoints';

export const { GET } = route(readRun);
