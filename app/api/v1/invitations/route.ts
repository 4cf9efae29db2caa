import { route } from '@/app/api/_http/route';
import { inviteAdmin, listInvitations } from './endpoints';

export const { GET, POST } = route(inviteAdmin, listInvitations);
