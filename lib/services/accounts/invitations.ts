import { and, desc, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, newId, tables } from '@/db';
import type { Role } from '@/db/schema';
import { type Actor, actorId } from '@/lib/core/actor';
import { invalid, notFound } from '@/lib/core/errors';
import { hashToken, newToken } from '@/lib/services/access/token';
import { record } from '@/lib/services/activity';

const { invitations, projects } = tables;

export interface NewInvitation {
  projectId: string | null;
  roles: readonly Role[];
  makesAdmin?: boolean;
  /** Only the holder of this address may accept; null: whoever has the link. */
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
export const stillOpen = (token: string): SQL | undefined =>
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
