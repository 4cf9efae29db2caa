export { cancelJob } from './cancel-job';
export { enqueue, type JobMeta } from './enqueue';
export { getJob, type JobLog, type JobWithLogs } from './get-job';
export { Interrupted } from './interrupted';
export type { JobView } from './job-view';
export { type ListJobs, listJobs } from './list-jobs';
export { retryJob } from './retry-job';
export { type Job, type JobContext, type JobHandler, type JobResult, jobHandler } from './types';
export { authoriseJob } from './visible-jobs';
