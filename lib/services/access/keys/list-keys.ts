import { desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import type { Scope } from '@/lib/core/scopes';

/** A person's own keys, revoked ones too; never more than a screenful, so not in pages. */
export async function listKeys(db: Db, actor: UserActor) {
  const rows = await db
    .select()
    .from(tables.apiKeys)
    .where(eq(tables.apiKeys.userId, actor.userId))
    .orderBy(desc(tables.apiKeys.id));
  return rows.map((row) => ({ ...row, scopes: row.scopes as Scope[] }));
}
