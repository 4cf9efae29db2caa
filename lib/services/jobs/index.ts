/** The job queue: enqueue, progress, logs, cancellation and retry. Handlers are in `workers/jobs`. */

export { cancelJob, retryJob } from './control-job';
export { enqueue, type JobMeta } from './enqueue';
export {
  authoriseJob,
  getJob,
  type JobLog,
  type JobView,
  type JobWithLogs,
  type ListJobs,
  listJobs,
} from './list-jobs';
export {
  Interrupted,
  type Job,
  type JobContext,
  type JobHandler,
  type JobResult,
  jobHandler,
  type LogLevel,
} from './types';
