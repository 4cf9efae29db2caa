import { hashPassword } from 'better-auth/crypto';
import { type Db, newId, tables } from '@/db';
import { record } from '../audit';
import { type Author, authorOf } from '../auth/actor';
import { conflict } from '../errors';

export interface NewUser {
  name: string;
  email: string;
  passwordHash: string;
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
  if (!user) throw conflict('There is an account with this e-mail address already: sign in first.');
  await tx.insert(tables.accounts).values({
    id: newId(),
    userId: user.id,
    // better-auth finds a password by provider "credential" and the user's own id.
    accountId: user.id,
    providerId: 'credential',
    password: input.passwordHash,
  });
  await record(tx, {
    actor: 'kind' in by ? by : authorOf(user, by.requestId),
    verb: 'user.create',
    subject: 'user',
    subjectId: user.id,
    detail: { email: user.email, isAdmin: user.isAdmin },
  });
  return user;
}
