import { route } from '@/app/api/_http/route';
import { revokeInvitation } from '../endpoints';

export const { DELETE } = route(revokeInvitation);
