import { route } from '@/app/api/_http/route';
import { restoreProject } from '../../endpoints';

export const { POST } = route(restoreProject);
