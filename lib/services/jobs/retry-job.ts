import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { conflict, notFound, TesseraError } from '@/lib/core/errors';
import { changeJob } from './job-row';
import { withQueue } from './queue';
import type { Job } from './types';

const { jobs } = tables;

/** A worker writes "failed" to the job's row a moment before it tells the queue. */
const settlingTries = 20;
const settlingPauseMs = 100;

/** Gives a job that failed for good another try, with the input it had. */
export async function retryJob(db: Database, jobId: string): Promise<Job> {
  for (let attempt = 1; attempt <= settlingTries; attempt++) {
    const revived = await revive(db, jobId);
    if (revived) return revived;
    await pause(settlingPauseMs);
  }
  throw new TesseraError('unavailable', 'This job is only just ending. Try again in a minute.');
}

/** Undefined while the queue has not heard yet that the job failed. */
async function revive(db: Database, jobId: string): Promise<Job | undefined> {
  return db.transaction(async (tx) => {
    const [job] = await tx.select().from(jobs).where(eq(jobs.id, jobId)).for('update');
    if (!job) throw notFound('job');
    if (job.state !== 'failed') throw conflict(`Only a failed job can be retried; this one is ${job.state}.`);
    const queued = await withQueue(tx, async (queue) => {
      await queue.retry(job.kind, job.id);
      const [found] = await queue.findJobs(job.kind, { id: job.id });
      return found?.state;
    });
    // Failed: the queue heard of it only after we had asked it to retry.
    if (queued === 'active' || queued === 'failed') return undefined;
    if (queued !== 'retry') throw conflict('This job is too old to be retried: start it anew.');
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
