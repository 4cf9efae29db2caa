import { getJob } from '@/lib/services/jobs';
import { commandLine } from '../../actor';
import { defineCommand, json } from '../../command';
import { remoteOptions } from '../../remote/client';
import { either } from '../../remote/either';
import { print } from '../../terminal/print';
import { columns, dim, red } from '../../terminal/text';
import { type JobRow, type LogRow, progressOf, readJobId } from './view';

/** Lines of the log; the most that the API gives at once. */
const lines = 1000;

export const command = defineCommand({
  usage: '<id>',
  options: { ...remoteOptions, json },
  async run(values, [id]) {
    const jobId = readJobId(id);
    const { job, logs } = await either<{ job: JobRow; logs: LogRow[] }>(
      values,
      (db) => getJob(db, commandLine, { jobId, limit: lines }),
      (remote) => remote.ask(`/jobs/${jobId}`, { query: { limit: String(lines) } }),
    );
    print(values.json, { ...job, logs }, () => [columns(factsOf(job)), ...logs.map(line)].join('\n'));
    return 0;
  },
});

const factsOf = (job: JobRow): string[][] => [
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

const line = ({ createdAt, level, text }: LogRow): string =>
  `${dim(new Date(createdAt).toISOString())} ${level.padEnd(5)} ${text}`;
