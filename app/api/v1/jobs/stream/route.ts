import { route } from '@/app/api/_http/route';
import { watchJobs } from '../endpoints';

export const { GET } = route(watchJobs);
