import { retryJob } from '@/lib/services/jobs';
import { changing } from './change';

export const command = changing('retry', retryJob, () => 'The job is queued again.');
