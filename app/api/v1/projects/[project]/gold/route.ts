import { route } from '@/app/api/_http/route';
import { listGold, writeGold } from '@/app/api/v1/projects/gold-endpoints';

export const { GET, POST } = route(listGold, writeGold);
