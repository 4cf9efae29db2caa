import { z } from 'zod';
import { jobStates } from '@/db/schema';
import { record } from '@/lib/services/activity';
import {
  authoriseJob,
  cancelJob as cancel,
  getJob as get,
  listJobs as list,
  retryJob as retry,
} from '@/lib/services/jobs';
import { endpoint } from '../../_http/endpoint';
import { id } from '../../_http/fields';
import { decodeCursor, idPosition, pageOf, pageQuery, toPage } from '../../_http/pagination';
import { JobFields, JobLogLine, ListedJob } from './fields';
import { streamJobs } from './stream-jobs';

const oneOrMany = <S extends z.ZodType>(item: S) =>
  z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(item)).optional();

export const listJobs = endpoint({
  method: 'GET',
  path: '/api/v1/jobs',
  summary: 'The jobs of the projects you can see, newest first',
  query: pageQuery.extend({
    state: oneOrMany(z.enum(jobStates)),
    kind: z.string().max(80).optional(),
    project: id.optional(),
  }),
  output: pageOf(ListedJob),
  authorise: { inQuery: 'jobs.read' },
  handler: async ({ db, actor, query: { limit, cursor, state, kind, project } }) => {
    const after = decodeCursor(idPosition, cursor)?.[0];
    const { jobs } = await list(db, actor, {
      states: state,
      kind,
      projectId: project,
      after,
      limit: limit + 1,
    });
    return toPage(jobs, limit, (job) => [job.id]);
  },
});

export const getJob = endpoint({
  method: 'GET',
  path: '/api/v1/jobs/{job}',
  summary: 'One job with its log, from the line after `logsAfter`',
  query: z.strictObject({
    logsAfter: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(1000).default(200),
  }),
  output: z.object({
    job: ListedJob,
    logs: z.array(JobLogLine),
    /** Give it back as `logsAfter` for the lines that follow; null when there were no more. */
    next: z.number().int().nullable(),
  }),
  authorise: { inQuery: 'jobs.read' },
  handler: ({ db, actor, params, query }) => get(db, actor, { jobId: params.job, ...query }),
});

export const cancelJob = endpoint({
  method: 'POST',
  path: '/api/v1/jobs/{job}/cancel',
  summary: 'Stop a job; one that runs ends within seconds',
  output: JobFields,
  authorise: { inQuery: 'jobs.cancel' },
  handler: async ({ db, actor, params }) => {
    const { projectId } = await authoriseJob(db, actor, 'jobs.cancel', params.job);
    const job = await cancel(db, params.job);
    await record(db, { actor, verb: 'job.cancel', subject: 'job', subjectId: job.id, projectId });
    return job;
  },
});

export const retryJob = endpoint({
  method: 'POST',
  path: '/api/v1/jobs/{job}/retry',
  summary: 'Give a failed job another try, with the input it had',
  output: JobFields,
  authorise: { inQuery: 'jobs.cancel' },
  handler: async ({ db, actor, params }) => {
    const { projectId } = await authoriseJob(db, actor, 'jobs.cancel', params.job);
    const job = await retry(db, params.job);
    await record(db, { actor, verb: 'job.retry', subject: 'job', subjectId: job.id, projectId });
    return job;
  },
});

export const watchJobs = endpoint({
  method: 'GET',
  path: '/api/v1/jobs/stream',
  summary: 'Server-sent events: each is a list of jobs that changed; the first is all that are active',
  output: { mediaType: 'text/event-stream' },
  authorise: { inQuery: 'jobs.read' },
  handler: ({ db, actor, request }) => streamJobs(db, actor, request.signal),
});
