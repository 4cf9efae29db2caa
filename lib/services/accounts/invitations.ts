import { and, desc, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, newId, type Transaction, tables } from '@/db';
import type { Role } from '@/db/schema';
import { type Actor, type Author, actorId, authorOf, type UserActor } from '@/lib/core/actor';
import { invalid, notFound, TesseraError } from '@/lib/core/errors';
import { hashToken, newToken } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { isRemoved } from './members';
import { emailOfPseudonym } from './pseudonym';
import { createUser, hashPassword } from './users';

const { invitations, memberships, projects, removedWorkers, users } = tables;

export interface NewInvitation {
  projectId: string | null;
  roles: readonly Role[];
  makesAdmin?: boolean;
  /** Only the owner of this address can accept; null: anyone with the link. */
  email?: string | null;
  /** The group of people that those who join belong to. */
  cohort?: string | null;
  seats?: number;
  expiresAt: Date;
}

/** The token is in this answer and nowhere else: only its hash is kept. */
export async function createInvitation(db: Database, actor: Actor, input: NewInvitation) {
  const makesAdmin = input.makesAdmin ?? false;
  const seats = input.seats ?? 1;
  if (input.projectId === null ? input.roles.length > 0 || !makesAdmin : input.roles.length === 0) {
    throw invalid('An invitation gives roles in a project, or makes an admin.');
  }
  if (makesAdmin && input.projectId !== null) throw invalid('An admin is not of one project.');
  if (input.email && seats !== 1) throw invalid('An invitation for one address has one seat.');
  if (input.expiresAt.getTime() <= Date.now()) throw invalid('The invitation would have ended already.');
  const token = newToken();
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(invitations)
      .values({
        id: newId(),
        tokenHash: hashToken(token),
        projectId: input.projectId,
        roles: [...new Set(input.roles)],
        makesAdmin,
        email: input.email?.toLowerCase() ?? null,
        cohort: input.cohort ?? null,
        seats,
        expiresAt: input.expiresAt,
        createdBy: actorId(actor),
      })
      .returning();
    const made = row as typeof invitations.$inferSelect;
    await record(tx, {
      actor,
      verb: 'invitation.create',
      subject: 'invitation',
      subjectId: made.id,
      projectId: made.projectId,
      detail: { roles: made.roles, makesAdmin, email: made.email, cohort: made.cohort, seats },
    });
    return { ...made, roles: made.roles as Role[], token };
  });
}

/** Newest first. Without a project: those of the whole instance. */
export async function listInvitations(
  db: Db,
  options: { projectId?: string; before?: string; limit: number },
) {
  const rows = await db
    .select({ invitation: invitations, project: projects.slug })
    .from(invitations)
    .leftJoin(projects, eq(projects.id, invitations.projectId))
    .where(
      and(
        options.projectId ? eq(invitations.projectId, options.projectId) : undefined,
        options.before ? lt(invitations.id, options.before) : undefined,
      ),
    )
    .orderBy(desc(invitations.id))
    .limit(options.limit);
  return rows.map(({ invitation, project }) => ({
    ...invitation,
    roles: invitation.roles as Role[],
    project,
  }));
}

/** Seats that are taken stay taken; nobody else can join. */
export async function revokeInvitation(
  db: Database,
  actor: Actor,
  which: { invitationId: string; projectId?: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [gone] = await tx
      .update(invitations)
      .set({ revokedAt: sql`now()` })
      .where(
        and(
          eq(invitations.id, which.invitationId),
          which.projectId ? eq(invitations.projectId, which.projectId) : undefined,
          isNull(invitations.revokedAt),
        ),
      )
      .returning({ projectId: invitations.projectId });
    if (!gone) throw notFound('invitation');
    await record(tx, {
      actor,
      verb: 'invitation.revoke',
      subject: 'invitation',
      subjectId: which.invitationId,
      projectId: gone.projectId,
    });
  });
}

/** Not withdrawn, not expired, with a seat left. */
const stillOpen = (token: string): SQL | undefined =>
  and(
    eq(invitations.tokenHash, hashToken(token)),
    isNull(invitations.revokedAt),
    gt(invitations.expiresAt, sql`now()`),
    lt(invitations.used, invitations.seats),
  );

/** What the holder of a link may know before accepting. */
export async function findInvitation(db: Db, token: string) {
  const [found] = await db
    .select({
      project: {
        id: projects.id,
        slug: projects.slug,
        name: projects.name,
        description: projects.description,
      },
      roles: sql<Role[]>`${invitations.roles}`,
      makesAdmin: invitations.makesAdmin,
      email: invitations.email,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .leftJoin(projects, eq(projects.id, invitations.projectId))
    .where(stillOpen(token));
  if (!found) throw notFound('invitation');
  return found;
}

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
