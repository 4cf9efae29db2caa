import { eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import type { Role } from '@/db/schema';
import { type Author, authorOf, type UserActor } from '@/lib/core/actor';
import { TesseraError } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { createUser, hashPassword } from './create-user';
import { findInvitation, stillOpen } from './invitations';
import { isRemoved } from './members';
import { emailOfPseudonym } from './pseudonym';

const { invitations, memberships, removedWorkers, users } = tables;

/** A pseudonym is name and sign-in at once, for people who leave no e-mail address. */
export type NewAccount =
  | { name: string; email: string; password: string }
  | { pseudonym: string; password: string };

type Invitation = typeof invitations.$inferSelect;

/**
 * Gives the invitation's roles to the person who is signed in or, for a stranger, to a new account.
 * The seat is taken by one guarded update: of two who want the last one, one gets it.
 */
export async function acceptInvitation(
  db: Database,
  token: string,
  who: { actor: UserActor } | { account: NewAccount; requestId: string | null },
) {
  // Before the costly hash, so that strangers with wrong tokens cannot keep the processor busy.
  await findInvitation(db, token);
  const passwordHash = 'account' in who ? await hashPassword(who.account.password) : '';
  return db.transaction(async (tx) => {
    const invitation = await takeSeat(tx, token);
    requireAddress(invitation, 'account' in who ? identityOf(who.account).email : who.actor.email);
    const person = 'account' in who ? await createAccount(tx, who, passwordHash) : asAuthor(who.actor);
    const isNews = await grant(tx, invitation, person.id);
    if (isNews) await recordJoining(tx, invitation, person.author);
    else await giveBackSeat(tx, invitation.id);
    return { userId: person.id, email: person.email, projectId: invitation.projectId };
  });
}

async function takeSeat(tx: Transaction, token: string): Promise<Invitation> {
  const [taken] = await tx
    .update(invitations)
    .set({ used: sql`${invitations.used} + 1` })
    .where(stillOpen(token))
    .returning();
  if (!taken) {
    throw new TesseraError(
      'not-found',
      'The invitation is used up, withdrawn or expired: ask for a new one.',
      { code: 'invitationClosed' },
    );
  }
  return taken;
}

const identityOf = (account: NewAccount) =>
  'pseudonym' in account
    ? { name: account.pseudonym, email: emailOfPseudonym(account.pseudonym) }
    : { name: account.name, email: account.email };

function requireAddress(invitation: Invitation, email: string): void {
  if (invitation.email === null || invitation.email === email.toLowerCase()) return;
  throw new TesseraError('invalid', 'The invitation is for another e-mail address.', {
    code: 'otherAddress',
  });
}

/** False when the person had everything already: a second click must not cost a second seat. */
async function grant(tx: Transaction, invitation: Invitation, userId: string): Promise<boolean> {
  if (invitation.makesAdmin) {
    const [before] = await tx
      .select({ isAdmin: users.isAdmin })
      .from(users)
      .where(eq(users.id, userId))
      .for('update');
    await tx.update(users).set({ isAdmin: true, updatedAt: sql`now()` }).where(eq(users.id, userId));
    return before?.isAdmin === false;
  }
  const { projectId, cohort } = invitation;
  if (projectId === null) return false;
  if (invitation.roles.includes('worker')) await requireNotRemoved(tx, { projectId, userId });
  const added = await tx
    .insert(memberships)
    .values(invitation.roles.map((role) => ({ projectId, userId, role: role as Role, cohort })))
    .onConflictDoNothing()
    .returning();
  return added.length > 0;
}

/** Refuses removed workers. Only a curator can undo the removal, by adding the person again. */
async function requireNotRemoved(tx: Transaction, who: { projectId: string; userId: string }): Promise<void> {
  const [removed] = await tx
    .select({ userId: removedWorkers.userId })
    .from(removedWorkers)
    .where(isRemoved(who));
  if (removed)
    throw new TesseraError(
      'conflict',
      'You were removed from this project and cannot join it again. Finished work is paid. If you have questions, ask the people who invited you.',
      { code: 'removed' },
    );
}

async function giveBackSeat(tx: Transaction, invitationId: string): Promise<void> {
  await tx
    .update(invitations)
    .set({ used: sql`${invitations.used} - 1` })
    .where(eq(invitations.id, invitationId));
}

async function createAccount(
  tx: Transaction,
  { account, requestId }: { account: NewAccount; requestId: string | null },
  passwordHash: string,
) {
  const user = await createUser(tx, { requestId }, { ...identityOf(account), passwordHash });
  return { id: user.id, email: user.email, author: authorOf(user, requestId) };
}

const asAuthor = (actor: UserActor) => ({ id: actor.userId, email: actor.email, author: actor as Author });

const recordJoining = (tx: Transaction, { id, projectId, roles, makesAdmin }: Invitation, author: Author) =>
  record(tx, {
    actor: author,
    verb: 'invitation.accept',
    subject: 'invitation',
    subjectId: id,
    projectId,
    detail: { roles, makesAdmin },
  });
