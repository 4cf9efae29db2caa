import { route } from '@/app/api/_http/route';
import { decideGold } from '@/app/api/v1/projects/gold-endpoints';

export const { POST } = route(decideGold);
