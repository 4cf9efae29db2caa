import type { Database } from '@/db';
import { type JobState, jobStates } from '@/db/schema';
import { authorise } from '@/lib/services/access/authorise';
import { listJobs } from '@/lib/services/jobs';
import { commandLine } from '../../actor';
import { defineCommand, json, readCount, UsageError } from '../../command';
import { type Remote, remoteOptions } from '../../remote/client';
import { either } from '../../remote/either';
import { print } from '../../terminal/print';
import { red, table } from '../../terminal/text';
import { type JobRow, progressOf } from './view';

interface Wanted {
  state: JobState | undefined;
  project: string | undefined;
  limit: number;
}

export const command = defineCommand({
  options: {
    state: { type: 'string', value: 'state', says: `One of ${jobStates.join(', ')}.` },
    project: { type: 'string', value: 'slug', says: 'Only those of this project.' },
    limit: { type: 'string', value: 'number', says: 'How many at most (default 50).' },
    ...remoteOptions,
    json,
  },
  async run(values) {
    const wanted: Wanted = {
      state: readState(values.state),
      project: values.project,
      limit: readCount('limit', values.limit, 50),
    };
    const jobs = await either<JobRow[]>(
      values,
      (db) => local(db, wanted),
      (remote) => elsewhere(remote, wanted),
    );
    print(values.json, jobs, () =>
      table(['id', 'state', 'progress', 'what', 'project'], jobs.map(row), 'There are no jobs.'),
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
