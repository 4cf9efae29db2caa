import { desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { runs } = tables;

/** Training runs that used a version, newest first. */
export const listRunsOf = (db: Db, versionId: string) =>
  db
    .select({ id: runs.id, name: runs.name, state: runs.state, at: runs.createdAt })
    .from(runs)
    .where(eq(runs.versionId, versionId))
    .orderBy(desc(runs.id))
    .limit(100);
