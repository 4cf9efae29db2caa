import { hashPassword } from 'better-auth/crypto';
import { type Db, newId, tables } from '@/db';
import { type Author, authorOf } from '@/lib/core/actor';
import { conflict } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { isPseudonymous } from './pseudonym';

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
