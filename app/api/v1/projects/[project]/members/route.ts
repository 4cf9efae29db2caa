import { route } from '@/app/api/_http/route';
import { addMember, listMembers } from '../../people-endpoints';

export const { GET, POST } = route(addMember, listMembers);
