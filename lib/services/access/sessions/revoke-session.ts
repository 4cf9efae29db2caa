import { and, eq, ne } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import { notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';

const { sessions } = tables;

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
