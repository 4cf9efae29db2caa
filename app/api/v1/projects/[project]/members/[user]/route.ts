import { route } from '@/app/api/_http/route';
import { removeMember } from '../../../people-endpoints';

export const { DELETE } = route(removeMember);
