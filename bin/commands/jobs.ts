import type { Database } from '@/db';
import { type JobState, jobStates } from '@/db/schema';
import { authorise, looksLikeId } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { cancelJob, getJob, type Job, listJobs, retryJob } from '@/lib/services/jobs';
import { type Command, defineCommand, json, readCount, UsageError } from '../command';
import { commandLine, localOrRemote } from '../database/enter';
import { type Remote, remoteOptions } from '../remote';
import { columns, dim, print, red, table } from '../terminal';

/** What the commands show of a job, wherever it comes from. */
interface JobRow {
  id: string;
  title: string;
  state: string;
  text: string;
  done: number;
  total: number | null;
  attempt: number;
  error: string | null;
  projectSlug: string | null;
  startedByName: string | null;
  requestId: string | null;
}

interface LogRow {
  level: string;
  text: string;
  createdAt: Date | string;
}

const progressOf = ({ done, total }: JobRow): string =>
  total ? `${done}/${total}` : done ? String(done) : '–';

function readJobId(text: string | undefined): string {
  if (!text || !looksLikeId(text))
    throw new UsageError('Pass the id of a job. `tessera jobs list` shows the ids.');
  return text;
}

interface Wanted {
  state: JobState | undefined;
  project: string | undefined;
  limit: number;
}

export const listCommand = defineCommand({
  options: {
    state: { type: 'string', value: 'state', description: `One of ${jobStates.join(', ')}.` },
    project: { type: 'string', value: 'slug', description: 'Only those of this project.' },
    limit: { type: 'string', value: 'number', description: 'Maximum number of rows (default 50).' },
    ...remoteOptions,
    json,
  },
  async run(values) {
    const wanted: Wanted = {
      state: readState(values.state),
      project: values.project,
      limit: readCount('limit', values.limit, 50),
    };
    const jobs = await localOrRemote<JobRow[]>(
      values,
      (db) => local(db, wanted),
      (remote) => elsewhere(remote, wanted),
    );
    print(values.json, jobs, () =>
      table(['id', 'state', 'progress', 'what', 'project'], jobs.map(row), 'No jobs.'),
    );
    return 0;
  },
});

function readState(text: string | undefined): JobState | undefined {
  if (text === undefined || (jobStates as readonly string[]).includes(text))
    return text as JobState | undefined;
  throw new UsageError(`There is no state "${text}"; there are ${jobStates.join(', ')}.`);
}

async function local(db: Database, { state, project, limit }: Wanted): Promise<JobRow[]> {
  const access = project ? await authorise(db, commandLine, 'jobs.read', { project }) : undefined;
  const projectId = access?.project.id;
  return (await listJobs(db, commandLine, { states: state && [state], projectId, limit })).jobs;
}

async function elsewhere(remote: Remote, { state, project, limit }: Wanted): Promise<JobRow[]> {
  const found = project
    ? await remote.ask<{ id: string }>(`/projects/${encodeURIComponent(project)}`)
    : undefined;
  return remote.list('/jobs', limit, { state, project: found?.id });
}

const row = (job: JobRow): string[] => [
  job.id,
  job.state === 'failed' ? red(job.state) : job.state,
  progressOf(job),
  job.title,
  job.projectSlug ?? '–',
];

/** Lines of the log; the most that the API gives at once. */
const LOG_LINES = 1000;

export const showCommand = defineCommand({
  usage: '<id>',
  options: { ...remoteOptions, json },
  async run(values, [id]) {
    const jobId = readJobId(id);
    const { job, logs } = await localOrRemote<{ job: JobRow; logs: LogRow[] }>(
      values,
      (db) => getJob(db, commandLine, { jobId, limit: LOG_LINES }),
      (remote) => remote.ask(`/jobs/${jobId}`, { query: { limit: String(LOG_LINES) } }),
    );
    print(values.json, { ...job, logs }, () => [columns(jobFacts(job)), ...logs.map(logLine)].join('\n'));
    return 0;
  },
});

const jobFacts = (job: JobRow): string[][] => [
  ['job', job.id],
  ['what', job.title],
  ['state', `${job.state}${job.text ? ` (${job.text})` : ''}`],
  ['progress', progressOf(job)],
  ['project', job.projectSlug ?? '–'],
  ['started by', job.startedByName ?? 'the system'],
  ['attempt', String(job.attempt)],
  ...(job.requestId ? [['request', job.requestId]] : []),
  ...(job.error ? [['error', red(job.error)]] : []),
];

const logLine = ({ createdAt, level, text }: LogRow): string =>
  `${dim(new Date(createdAt).toISOString())} ${level.padEnd(5)} ${text}`;

/** A command that does something to one job; the verb is also that of the API. */
const changeJobCommand = (
  verb: 'cancel' | 'retry',
  change: (db: Database, jobId: string) => Promise<Job>,
  done: (state: string) => string,
): Command =>
  defineCommand({
    usage: '<id>',
    options: remoteOptions,
    async run(values, [id]) {
      const jobId = readJobId(id);
      const { state } = await localOrRemote<{ state: string }>(
        values,
        async (db) => {
          const job = await change(db, jobId);
          const { projectId } = job;
          await record(db, {
            actor: commandLine,
            verb: `job.${verb}`,
            subject: 'job',
            subjectId: jobId,
            projectId,
          });
          return job;
        },
        (remote) => remote.ask(`/jobs/${jobId}/${verb}`, { method: 'POST' }),
      );
      console.log(done(state));
      return 0;
    },
  });

export const cancelCommand = changeJobCommand('cancel', cancelJob, (state) =>
  state === 'cancelled' ? 'The job is cancelled.' : 'The job is stopping.',
);

export const retryCommand = changeJobCommand('retry', retryJob, () => 'The job is queued again.');
