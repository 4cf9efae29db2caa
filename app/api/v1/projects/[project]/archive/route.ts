import { route } from '@/app/api/_http/route';
import { archiveProject } from '../../endpoints';

export const { POST } = route(archiveProject);
