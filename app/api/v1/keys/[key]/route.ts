import { route } from '@/app/api/_http/route';
import { revokeKey } from '../endpoints';

export const { DELETE } = route(revokeKey);
