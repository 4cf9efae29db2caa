import { and, eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { Actor } from '@/lib/core/actor';
import { notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { hashPassword } from './create-user';

const { accounts, sessions } = tables;

/** For somebody who forgot theirs: there need be no mail server. Whoever was signed in is signed out. */
export async function setPassword(
  db: Database,
  actor: Actor,
  { userId, password }: { userId: string; password: string },
): Promise<void> {
  const hash = await hashPassword(password);
  await db.transaction(async (tx) => {
    const changed = await tx
      .update(accounts)
      .set({ password: hash, updatedAt: sql`now()` })
      .where(and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential')))
      .returning({ id: accounts.id });
    if (changed.length === 0) throw notFound('user');
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    await record(tx, { actor, verb: 'password.set', subject: 'user', subjectId: userId });
  });
}
