import { route } from '@/app/api/_http/route';
import { endOtherSessions, listSessions } from './endpoints';

export const { DELETE, GET } = route(endOtherSessions, listSessions);
