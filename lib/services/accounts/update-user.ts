import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import type { Actor } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';

const { apiKeys, sessions, users } = tables;

export interface UserChange {
  isAdmin?: boolean;
  isDisabled?: boolean;
}

/** Makes or unmakes an admin, disables or enables an account. Somebody must remain who can undo it. */
export async function updateUser(db: Database, actor: Actor, userId: string, change: UserChange) {
  return db.transaction(async (tx) => {
    const before = await lockUser(tx, userId);
    const isAdmin = change.isAdmin ?? before.isAdmin;
    const isDisabled = change.isDisabled ?? before.disabledAt !== null;
    if (before.isAdmin && (!isAdmin || isDisabled)) await requireAnotherAdmin(tx, userId);
    const [after] = await tx
      .update(users)
      .set({
        isAdmin,
        disabledAt: isDisabled ? (before.disabledAt ?? sql`now()`) : null,
        updatedAt: sql`now()`,
      })
      .where(eq(users.id, userId))
      .returning();
    if (isDisabled && before.disabledAt === null) {
      await shutOut(tx, userId);
      await record(tx, { actor, verb: 'user.disable', subject: 'user', subjectId: userId });
    }
    if (!isDisabled && before.disabledAt !== null) {
      await record(tx, { actor, verb: 'user.enable', subject: 'user', subjectId: userId });
    }
    if (isAdmin !== before.isAdmin) {
      const verb = isAdmin ? 'admin.grant' : 'admin.withdraw';
      // Whoever holds a cookie of before signs in anew: it was given to somebody with other rights.
      await tx.delete(sessions).where(eq(sessions.userId, userId));
      await record(tx, { actor, verb, subject: 'user', subjectId: userId });
    }
    return after as typeof users.$inferSelect;
  });
}

/** Any number; all changes of admins take turns, so that two admins cannot remove each other at once. */
const adminsLock = 7_355_609;

async function lockUser(tx: Transaction, userId: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(${adminsLock})`);
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
  if (!user) throw notFound('user');
  return user;
}

async function requireAnotherAdmin(tx: Transaction, userId: string): Promise<void> {
  const [other] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isAdmin, true), isNull(users.disabledAt), ne(users.id, userId)))
    .limit(1);
  if (!other) throw conflict('This is the last admin: make another person admin first.');
}

async function shutOut(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)));
}
