import { route } from '@/app/api/_http/route';
import { acceptInvitation } from '../endpoints';

export const { POST } = route(acceptInvitation);
