import { route } from '../../_http/route';
import { listJobs } from './endpoints';

export const { GET } = route(listJobs);
