import { route } from '@/app/api/_http/route';
import { updateUser } from '../endpoints';

export const { PATCH } = route(updateUser);
