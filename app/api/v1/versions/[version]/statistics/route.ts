import { route } from '@/app/api/_http/route';
import { computeVersionStatistics, readVersionStatistics } from '@/app/api/v1/versions/endpoints';

export const { GET, POST } = route(readVersionStatistics, computeVersionStatistics);
