import { route } from '@/app/api/_http/route';
import { createProject, listProjects } from './endpoints';

export const { GET, POST } = route(createProject, listProjects);
