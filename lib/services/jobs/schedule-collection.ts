import { sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { enqueue } from './enqueue';

const { settings } = tables;

/** Starts the collector once a day, whichever of many workers asks first. */
export async function scheduleCollection(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [due] = await tx
      .insert(settings)
      .values({ key: 'collector.lastStarted', value: sql`to_jsonb(now())` })
      .onConflictDoUpdate({
        target: settings.key,
        set: { value: sql`to_jsonb(now())`, updatedAt: sql`now()` },
        setWhere: sql`${settings.updatedAt} < now() - interval '1 day'`,
      })
      .returning({ key: settings.key });
    if (!due) return false;
    await enqueue(tx, 'collect-blobs', {}, { title: 'Delete files that nothing refers to' });
    return true;
  });
}
