import { hashPassword } from 'better-auth/crypto';
import { and, asc, eq, getTableColumns, gt, isNull, ne, or, sql } from 'drizzle-orm';
import { type Database, type Db, newId, type Transaction, tables } from '@/db';
import type { Role } from '@/db/schema';
import { type Actor, type Author, authorOf } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { isPseudonymous } from './pseudonym';

const { accounts, apiKeys, memberships, projects, sessions, users } = tables;

export interface NewUser {
  name: string;
  email: string;
  /** Null: nobody signs in with a password; the person comes through a marketplace. */
  passwordHash: string | null;
  isAdmin?: boolean;
}

export { hashPassword };

/**
 * The only way an account comes to be: by an accepted invitation, the command line or the demo.
 * Without an author, the person makes it themselves. The password is hashed by the caller, outside the transaction, because that takes a tenth of a second.
 */
export async function createUser(tx: Db, by: Author | { requestId: string | null }, input: NewUser) {
  const [user] = await tx
    .insert(tables.users)
    .values({
      id: newId(),
      name: input.name,
      email: input.email.toLowerCase(),
      isAdmin: input.isAdmin ?? false,
    })
    .onConflictDoNothing({ target: tables.users.email })
    .returning();
  if (!user) {
    throw conflict(
      isPseudonymous(input.email)
        ? 'This pseudonym is taken. If it is yours, sign in first; if not, choose another.'
        : 'There is an account with this e-mail address already: sign in first.',
      { code: 'nameTaken' },
    );
  }
  if (input.passwordHash !== null) await givePassword(tx, user.id, input.passwordHash);
  await record(tx, {
    actor: 'kind' in by ? by : authorOf(user, by.requestId),
    verb: 'user.create',
    subject: 'user',
    subjectId: user.id,
    detail: { email: user.email, isAdmin: user.isAdmin },
  });
  return user;
}

async function givePassword(tx: Db, userId: string, password: string): Promise<void> {
  await tx.insert(tables.accounts).values({
    id: newId(),
    userId,
    // better-auth finds a password by provider "credential" and the user's own id.
    accountId: userId,
    providerId: 'credential',
    password,
  });
}

export interface UserQuery {
  limit: number;
  /** Id of the last user of the page before. */
  after?: string;
  /** Part of a name or of an e-mail address. */
  search?: string;
}

interface HeldRole {
  project: string;
  role: Role;
}

/** Oldest account first, each with the roles held, in one statement. */
export async function listUsers(db: Db, { limit, after, search }: UserQuery) {
  const held = db
    .select({
      roles: sql`jsonb_agg(jsonb_build_object('project', ${projects.slug}, 'role', ${memberships.role})
        order by ${projects.slug}, ${memberships.role})`,
    })
    .from(memberships)
    .innerJoin(projects, eq(projects.id, memberships.projectId))
    .where(eq(memberships.userId, users.id));
  const roles = sql<HeldRole[]>`coalesce((${held}), '[]')`;
  return db
    .select({ ...getTableColumns(users), roles })
    .from(users)
    .where(and(after ? gt(users.id, after) : undefined, search ? matches(search) : undefined))
    .orderBy(asc(users.id))
    .limit(limit);
}

/** `position` instead of `like`: nothing that a person types is a pattern. */
const matches = (search: string) =>
  or(
    sql`position(lower(${search}) in lower(${users.name})) > 0`,
    sql`position(lower(${search}) in ${users.email}) > 0`,
  );

export interface UserChange {
  isAdmin?: boolean;
  isDisabled?: boolean;
}

/** Grants or withdraws admin rights, disables or enables an account. At least one active admin must remain. */
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
      // Existing sessions were created with other rights, so the user has to sign in again.
      await tx.delete(sessions).where(eq(sessions.userId, userId));
      await record(tx, { actor, verb, subject: 'user', subjectId: userId });
    }
    return after as typeof users.$inferSelect;
  });
}

/** Arbitrary lock key: changes of admins are serialized, so that two admins cannot remove each other. */
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

/** Sets a new password for a user who forgot theirs, without a mail server. Ends all their sessions. */
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
