import { route } from '@/app/api/_http/route';
import { revokeProjectInvitation } from '../../../people-endpoints';

export const { DELETE } = route(revokeProjectInvitation);
