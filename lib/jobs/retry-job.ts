import { eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { conflict, notFound } from '../errors';
import { changeJob } from './job-row';
import { withQueue } from './queue';
import type { Job } from './types';

const { jobs } = tables;

/** Gives a job that failed for good another try, with the input it had. */
export async function retryJob(db: Database, jobId: string): Promise<Job> {
  return db.transaction(async (tx) => {
    const [job] = await tx.select().from(jobs).where(eq(jobs.id, jobId)).for('update');
    if (!job) throw notFound('job');
    if (job.state !== 'failed') throw conflict(`Only a failed job can be retried; this one is ${job.state}.`);
    const revived = await withQueue(tx, async (queue) => {
      await queue.retry(job.kind, job.id);
      const [found] = await queue.findJobs(job.kind, { id: job.id });
      return found?.state === 'retry';
    });
    if (!revived) throw conflict('This job is too old to be retried: start it anew.');
    const [changed] = await changeJob(tx, eq(jobs.id, job.id), {
      state: 'queued',
      error: null,
      text: '',
      cancelRequested: false,
      finishedAt: null,
    });
    return changed as Job;
  });
}
