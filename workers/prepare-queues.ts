import { installQueues } from '@/lib/services/jobs/queue';
import { jobHandlers } from './jobs';

/** Part of bringing a database up to this release: jobs can be started before any worker has run. */
export const prepareQueues = (url: string): Promise<void> =>
  installQueues(
    url,
    jobHandlers.map((handler) => handler.kind),
  );
