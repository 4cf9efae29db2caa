import { route } from '@/app/api/_http/route';
import { inviteToProject, listProjectInvitations } from '../../people-endpoints';

export const { GET, POST } = route(inviteToProject, listProjectInvitations);
