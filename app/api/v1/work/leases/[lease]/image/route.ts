import { route } from '@/app/api/_http/route';
import { getLeaseImage } from '../../../lease-endpoints';

export const { GET } = route(getLeaseImage);
