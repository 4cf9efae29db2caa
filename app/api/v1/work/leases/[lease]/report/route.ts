import { route } from '@/app/api/_http/route';
import { reportItem } from '../../../lease-endpoints';

export const { POST } = route(reportItem);
