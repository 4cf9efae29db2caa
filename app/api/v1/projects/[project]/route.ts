import { route } from '@/app/api/_http/route';
import { getProject, updateProject } from '../endpoints';

export const { GET, PATCH } = route(getProject, updateProject);
