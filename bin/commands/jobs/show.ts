import { getJob } from '@/lib/jobs';
import { commandLine } from '../../actor';
import { defineCommand, json } from '../../command';
import { enterDatabase } from '../../database/enter';
import { print } from '../../terminal/print';
import { columns, dim, red } from '../../terminal/text';
import { progressOf, readJobId } from './view';

export const command = defineCommand({
  usage: '<id>',
  options: { json },
  async run(values, [id]) {
    const jobId = readJobId(id);
    await using entered = await enterDatabase();
    const { job, logs } = await getJob(entered.db, commandLine, { jobId, limit: 10_000 });
    print(values.json, { ...job, logs }, () =>
      [
        columns([
          ['job', job.id],
          ['what', job.title],
          ['state', `${job.state}${job.text ? ` (${job.text})` : ''}`],
          ['progress', progressOf(job)],
          ['project', job.projectSlug ?? '–'],
          ['started by', job.startedByName ?? 'the system'],
          ['attempt', String(job.attempt)],
          ...(job.error ? [['error', red(job.error)]] : []),
        ]),
        ...logs.map((line) => `${dim(line.createdAt.toISOString())} ${line.level.padEnd(5)} ${line.text}`),
      ].join('\n'),
    );
    return 0;
  },
});
