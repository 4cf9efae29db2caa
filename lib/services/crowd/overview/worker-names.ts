import { inArray } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { users } = tables;

/** Names of workers by id, for lists that know only ids. */
export async function workerNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
