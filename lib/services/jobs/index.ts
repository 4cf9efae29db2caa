/** The job queue: enqueue, progress, logs, cancellation and retry. Handlers are in `workers/jobs`. */

export { cancelJob, retryJob } from './control-job';
export { askSoon, enqueue, type JobMeta, rateSoon, scheduleCollection } from './enqueue';
export {
  authoriseJob,
  getJob,
  type JobLog,
  type JobView,
  type JobWithLogs,
  type ListJobs,
  listJobs,
  visibleProjectIds,
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
