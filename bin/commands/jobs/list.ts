import { type JobState, jobStates } from '@/db/schema';
import { authorise } from '@/lib/auth';
import { type JobView, listJobs } from '@/lib/jobs';
import { commandLine } from '../../actor';
import { defineCommand, json, readCount, UsageError } from '../../command';
import { enterDatabase } from '../../database/enter';
import { print } from '../../terminal/print';
import { red, table } from '../../terminal/text';
import { progressOf } from './view';

export const command = defineCommand({
  options: {
    state: { type: 'string', value: 'state', says: `One of ${jobStates.join(', ')}.` },
    project: { type: 'string', value: 'slug', says: 'Only those of this project.' },
    limit: { type: 'string', value: 'number', says: 'How many (default 50).' },
    json,
  },
  async run(values) {
    const state = values.state as JobState | undefined;
    if (state && !jobStates.includes(state)) {
      throw new UsageError(`There is no state "${state}"; there are ${jobStates.join(', ')}.`);
    }
    const limit = readCount('limit', values.limit, 50);
    await using entered = await enterDatabase();
    const { db } = entered;
    const access = values.project
      ? await authorise(db, commandLine, 'jobs.read', { project: values.project })
      : undefined;
    const projectId = access?.project.id;
    const { jobs } = await listJobs(db, commandLine, { states: state && [state], projectId, limit });
    print(values.json, jobs, () =>
      table(['id', 'state', 'progress', 'what', 'project'], jobs.map(row), 'There are no jobs.'),
    );
    return 0;
  },
});

const row = (job: JobView): string[] => [
  job.id,
  job.state === 'failed' ? red(job.state) : job.state,
  progressOf(job),
  job.title,
  job.projectSlug ?? '–',
];
