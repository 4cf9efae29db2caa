import { setTimeout as pause } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { conflict, notFound, TesseraError } from '@/lib/core/errors';
import { announce, changeJob } from './job-row';
import { withQueue } from './queue';
import type { Job } from './types';
import { wholeOrNothing } from './whole-or-nothing';

const { jobs } = tables;

/**
 * Stops a job. A waiting job is cancelled immediately. A running job is asked to stop and becomes cancelled
 * when its worker has stopped (within seconds), so "cancelled" means that nothing is running.
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

/** Undefined until the queue has registered the failure of the job. */
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
    // Failed: the queue registered it only after our retry request.
    if (queued === 'active' || queued === 'failed') return undefined;
    if (queued !== 'retry') throw conflict('This job is too old to be retried. Start a new one.');
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

/** Longer than a worker needs to notice that its job was cancelled (one refresh of the heartbeat). */
const timeout = '20 seconds';

/**
 * Brings rows in line with the queue where no worker is left to do it: the last attempt died with its
 * worker, a dead worker's job waits for the next, a cancelled one has nobody to let go of it, or the
 * queue has lost the job. One statement, however many jobs there are.
 */
export async function reconcileJobs(db: Database): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with orphaned as (
      select jobs.id, jobs.cancel_requested, boss.state::text as queue_state
      from jobs left join pgboss.job boss on boss.name = jobs.kind and boss.id = jobs.id
      where jobs.state in ('queued', 'running', 'retrying')
        and (boss.id is null
          or boss.state in ('failed', 'completed')
          or (boss.state = 'cancelled' and jobs.updated_at < now() - interval '${sql.raw(timeout)}')
          or (boss.state = 'retry' and jobs.state = 'running'))
    )
    update jobs set
      state = case
        when orphaned.queue_state = 'retry' then 'retrying'
        when orphaned.queue_state = 'cancelled' or orphaned.cancel_requested then 'cancelled'
        else 'failed' end,
      error = case
        when orphaned.queue_state = 'cancelled' or orphaned.cancel_requested then jobs.error
        when orphaned.queue_state = 'retry' then 'The worker stopped in the middle; the job is taken up again.'
        when orphaned.queue_state is null then 'The queue has lost this job.'
        else 'The worker stopped in the middle, too many times.' end,
      finished_at = case when orphaned.queue_state = 'retry' then null else now() end,
      updated_at = now()
    from orphaned
    where jobs.id = orphaned.id and jobs.state in ('queued', 'running', 'retrying')
    returning jobs.id`);
  await announce(
    db,
    rows.map((row) => row.id),
  );
  return rows.length;
}
