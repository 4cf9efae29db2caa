import { z } from 'zod';
import type { Database } from '@/db';
import { jobStates } from '@/db/schema';
import type { Actor } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import {
  authoriseJob,
  cancelJob as cancel,
  getJob as get,
  type JobView,
  listJobs as list,
  retryJob as retry,
  visibleProjectIds,
} from '@/lib/services/jobs';
import { jobFeed } from '@/lib/services/jobs/job-feed';
import { activeStates } from '@/lib/services/jobs/job-row';
import { draining } from '@/lib/services/observability/current-work';
import { endpoint } from '../_http/endpoint';
import { decodeCursor, id, idPosition, moment, pageOf, pageQuery, toPage } from '../_http/fields';

const JobFields = z.object({
  id,
  kind: z.string(),
  title: z.string(),
  state: z.enum(jobStates),
  done: z.number().int(),
  /** Null while it is not known how much there is to do. */
  total: z.number().int().nullable(),
  text: z.string(),
  attempt: z.number().int(),
  cancelRequested: z.boolean(),
  error: z.string().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  projectId: id.nullable(),
  /** Of the request that started it; the same in the logs. Null: nobody asked for it. */
  requestId: z.string().nullable(),
  createdAt: moment,
  startedAt: moment.nullable(),
  updatedAt: moment,
  finishedAt: moment.nullable(),
});

const ListedJob = JobFields.extend({
  projectSlug: z.string().nullable(),
  projectName: z.string().nullable(),
  startedByName: z.string().nullable(),
});

const JobLogLine = z.object({
  seq: z.number().int(),
  level: z.enum(['info', 'warn', 'error']),
  text: z.string(),
  createdAt: moment,
});

/** Proxies close a line on which nothing moves. */
const aliveMs = 15_000;
/** Then the browser connects again, and rights that were taken meanwhile are gone. */
const longestMs = 5 * 60_000;

const Jobs = z.array(ListedJob);

/** Changes of the jobs that the actor may see, for as long as they listen. */
async function streamJobs(db: Database, actor: Actor, signal: AbortSignal): Promise<Response> {
  const visible = await visibleProjectIds(db, actor);
  const isVisible = (job: JobView) =>
    visible === null || (job.projectId !== null && visible.has(job.projectId));
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      const sendJobs = (jobs: JobView[]) => {
        const seen = jobs.filter(isVisible);
        if (seen.length > 0) send(`data: ${JSON.stringify(Jobs.parse(seen))}\n\n`);
      };
      send('retry: 2000\n\n');
      const unsubscribe = jobFeed(db).subscribe(sendJobs);
      const alive = setInterval(() => send(': alive\n\n'), aliveMs);
      const over = setTimeout(() => end(), longestMs);
      end = () => {
        end = () => {};
        unsubscribe();
        clearInterval(alive);
        clearTimeout(over);
        controller.close();
      };
      const gone = AbortSignal.any([signal, draining()]);
      gone.addEventListener('abort', () => end(), { once: true });
      sendJobs((await list(db, actor, { states: activeStates, limit: 200 })).jobs);
    },
    cancel: () => end(),
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
  });
}

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
