import { route } from '@/app/api/_http/route';
import { getFeedback } from '../../../lease-endpoints';

export const { GET } = route(getFeedback);
