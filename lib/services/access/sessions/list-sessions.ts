import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { UserActor } from '@/lib/core/actor';

const { sessions } = tables;

/** Where a person is signed in. The token stays out: whoever reads it has the session. */
export async function listSessions(db: Db, actor: UserActor) {
  const rows = await db
    .select({
      id: sessions.id,
      ipAddress: sessions.ipAddress,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, actor.userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.createdAt));
  return rows.map((row) => ({ ...row, isCurrent: row.id === actor.credentialId }));
}
