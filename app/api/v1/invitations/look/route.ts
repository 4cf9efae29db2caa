import { route } from '@/app/api/_http/route';
import { lookAtInvitation } from '../endpoints';

export const { POST } = route(lookAtInvitation);
