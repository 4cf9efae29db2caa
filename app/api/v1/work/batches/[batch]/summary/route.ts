import { route } from '@/app/api/_http/route';
import { getSummary } from '../../../endpoints';

export const { GET } = route(getSummary);
