import { sql } from 'drizzle-orm';
import { fromDrizzle } from 'pg-boss';
import type { Database } from '@/db';
import { withQueue } from '@/lib/services/jobs/queue';
import type { QueuedJob } from './layout';

/**
 * Gives the queue of this release the jobs of a backup, under the ids that they had: those that waited or ran begin
 * anew, and those that had failed can still be retried by hand. Returns how many begin.
 */
export async function requeue(
  db: Database,
  queued: readonly QueuedJob[],
  kinds: readonly string[],
): Promise<number> {
  return db.transaction(async (tx) => {
    let begun = 0;
    for (const [kind, id, data, hasFailed] of queued) {
      // A kind that this release no longer has: its row says that the queue has lost it.
      if (!kinds.includes(kind)) continue;
      const input = data === null ? null : (JSON.parse(data) as object);
      await withQueue(tx, (queue) => queue.send(kind, input, { id, db: fromDrizzle(tx, sql) }));
      if (hasFailed)
        await tx.execute(sql`
          update pgboss.job set state = 'failed', completed_on = now() where name = ${kind} and id = ${id}`);
      else begun += 1;
    }
    await tx.execute(sql`
      update jobs set state = 'queued', text = '', error = null, updated_at = now()
      where state in ('running', 'retrying')`);
    // The next start looks whether the database is of its release.
    await tx.execute(sql`delete from settings where key = 'prepared-by'`);
    return begun;
  });
}
