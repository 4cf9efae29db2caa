import { retryJob } from '@/lib/jobs';
import { defineCommand } from '../../command';
import { enterDatabase } from '../../database/enter';
import { readJobId } from './view';

export const command = defineCommand({
  usage: '<id>',
  async run(_, [id]) {
    const jobId = readJobId(id);
    await using entered = await enterDatabase();
    await retryJob(entered.db, jobId);
    console.log('The job is queued again.');
    return 0;
  },
});
