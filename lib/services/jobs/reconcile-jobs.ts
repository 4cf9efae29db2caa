import { sql } from 'drizzle-orm';
import type { Database } from '@/db';
import { announce } from './job-row';

/** Longer than a worker needs to notice that its job was cancelled (one refresh of the heartbeat). */
const patience = '20 seconds';

/**
 * Brings rows in line with the queue where no worker is left to do it: the last attempt died with its
 * worker, a dead worker's job waits for the next, a cancelled one has nobody to let go of it, or the
 * queue has lost the job. One statement, however many jobs there are.
 */
export async function reconcileJobs(db: Database): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with adrift as (
      select jobs.id, jobs.cancel_requested, boss.state::text as queue_state
      from jobs left join pgboss.job boss on boss.name = jobs.kind and boss.id = jobs.id
      where jobs.state in ('queued', 'running', 'retrying')
        and (boss.id is null
          or boss.state in ('failed', 'completed')
          or (boss.state = 'cancelled' and jobs.updated_at < now() - interval '${sql.raw(patience)}')
          or (boss.state = 'retry' and jobs.state = 'running'))
    )
    update jobs set
      state = case
        when adrift.queue_state = 'retry' then 'retrying'
        when adrift.queue_state = 'cancelled' or adrift.cancel_requested then 'cancelled'
        else 'failed' end,
      error = case
        when adrift.queue_state = 'cancelled' or adrift.cancel_requested then jobs.error
        when adrift.queue_state = 'retry' then 'The worker stopped in the middle; the job is taken up again.'
        when adrift.queue_state is null then 'The queue has lost this job.'
        else 'The worker stopped in the middle, too many times.' end,
      finished_at = case when adrift.queue_state = 'retry' then null else now() end,
      updated_at = now()
    from adrift
    where jobs.id = adrift.id and jobs.state in ('queued', 'running', 'retrying')
    returning jobs.id`);
  await announce(
    db,
    rows.map((row) => row.id),
  );
  return rows.length;
}
