import type { Database } from '@/db';
import { record } from '@/lib/services/activity';
import type { Job } from '@/lib/services/jobs';
import { commandLine } from '../../actor';
import { type Command, defineCommand } from '../../command';
import { remoteOptions } from '../../remote/client';
import { either } from '../../remote/either';
import { readJobId } from './view';

/** A command that does something to one job; the verb is also that of the API. */
export const changing = (
  verb: 'cancel' | 'retry',
  change: (db: Database, jobId: string) => Promise<Job>,
  done: (state: string) => string,
): Command =>
  defineCommand({
    usage: '<id>',
    options: remoteOptions,
    async run(values, [id]) {
      const jobId = readJobId(id);
      const { state } = await either<{ state: string }>(
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
