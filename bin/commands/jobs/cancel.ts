import { cancelJob } from '@/lib/jobs';
import { defineCommand } from '../../command';
import { enterDatabase } from '../../database/enter';
import { readJobId } from './view';

export const command = defineCommand({
  usage: '<id>',
  async run(_, [id]) {
    const jobId = readJobId(id);
    await using entered = await enterDatabase();
    const job = await cancelJob(entered.db, jobId);
    console.log(job.state === 'cancelled' ? 'The job is cancelled.' : 'The job is being stopped.');
    return 0;
  },
});
