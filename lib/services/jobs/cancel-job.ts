import { eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import { changeJob } from './job-row';
import { withQueue } from './queue';
import type { Job } from './types';
import { wholeOrNothing } from './whole-or-nothing';

const { jobs } = tables;

/**
 * Stops a job. One that waits is cancelled at once; one that runs is asked to stop and becomes cancelled
 * when its worker has let go of it (within seconds), so that "cancelled" means that nothing happens any more.
 */
export async function cancelJob(db: Database, jobId: string): Promise<Job> {
  return db.transaction(async (tx) => {
    const [job] = await tx.select().from(jobs).where(eq(jobs.id, jobId)).for('update');
    if (!job) throw notFound('job');
    if (job.finishedAt) throw conflict(`The job is already ${job.state}.`);
    const whole = wholeOrNothing(job.kind);
    if (whole) throw conflict(whole);
    await withQueue(tx, (queue) => queue.cancel(job.kind, job.id));
    const [changed] = await changeJob(
      tx,
      eq(jobs.id, job.id),
      job.state === 'running'
        ? { cancelRequested: true, text: 'Stopping' }
        : { cancelRequested: true, state: 'cancelled', text: '', finishedAt: sql`now()` },
    );
    return changed as Job;
  });
}
