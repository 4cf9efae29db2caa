import { route } from '@/app/api/_http/route';
import { endSession } from '../endpoints';

export const { DELETE } = route(endSession);
