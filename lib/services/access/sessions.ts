import { and, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import { notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';

const { sessions } = tables;

/** An active session of a person, without the token, which would grant the session. */
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

export async function revokeSession(db: Database, actor: UserActor, sessionId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const gone = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, actor.userId)))
      .returning({ id: sessions.id });
    if (gone.length === 0) throw notFound('session');
    await record(tx, { actor, verb: 'session.revoke', subject: 'session', subjectId: sessionId });
  });
}

/** Signs a person out everywhere but here; returns how many sessions ended. */
export async function revokeOtherSessions(db: Database, actor: UserActor): Promise<number> {
  return db.transaction(async (tx) => {
    const gone = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, actor.userId), ne(sessions.id, actor.credentialId)))
      .returning({ id: sessions.id });
    if (gone.length > 0) {
      await record(tx, {
        actor,
        verb: 'session.revoke-others',
        subject: 'session',
        detail: { n: gone.length },
      });
    }
    return gone.length;
  });
}
