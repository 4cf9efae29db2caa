import { cancelJob } from '@/lib/services/jobs';
import { changing } from './change';

export const command = changing('cancel', cancelJob, (state) =>
  state === 'cancelled' ? 'The job is cancelled.' : 'The job is being stopped.',
);
