import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database } from '@/db';

/** Returns once as many queries on this database wait for the locks of others. */
export async function somebodyWaits(db: Database, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await db.execute(sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    if (rows.length >= count) return;
    await sleep(10);
  }
}
