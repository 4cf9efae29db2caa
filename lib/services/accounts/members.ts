import { and, asc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import type { Role } from '@/db/schema';
import type { Actor } from '@/lib/core/actor';
import { notFound } from '@/lib/core/errors';
import type { UserActor } from '@/lib/services/access';
import { record } from '@/lib/services/activity';

const { memberships, projects, removedWorkers, users } = tables;

/** The people of a project, each once, with all their roles. */
export async function listMembers(db: Db, projectId: string, page: { limit: number; after?: string }) {
  return db
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      isDisabled: sql<boolean>`${users.disabledAt} is not null`,
      roles: sql<Role[]>`array_agg(${memberships.role} order by ${memberships.role})`,
      since: sql<Date>`min(${memberships.createdAt})`.mapWith(memberships.createdAt),
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.projectId, projectId), page.after ? gt(users.id, page.after) : undefined))
    .groupBy(users.id)
    .orderBy(asc(users.id))
    .limit(page.limit);
}

export interface Member {
  projectId: string;
  userId: string;
  role: Role;
}

/** Adding what is there already changes nothing and is not an error. */
export async function addMember(db: Database, actor: Actor, member: Member): Promise<void> {
  await db.transaction(async (tx) => {
    const [user] = await tx
      .select({ name: users.name })
      .from(users)
      .where(and(eq(users.id, member.userId), isNull(users.disabledAt)));
    if (!user) throw notFound('user');
    if (member.role === 'worker') await tx.delete(removedWorkers).where(isRemoved(member));
    const added = await tx.insert(memberships).values(member).onConflictDoNothing().returning();
    if (added.length > 0) await recordChange(tx, actor, 'member.add', member);
  });
}

export async function removeMember(db: Database, actor: Actor, member: Member): Promise<void> {
  await db.transaction(async (tx) => {
    const removed = await tx
      .delete(memberships)
      .where(
        and(
          eq(memberships.projectId, member.projectId),
          eq(memberships.userId, member.userId),
          eq(memberships.role, member.role),
        ),
      )
      .returning();
    if (removed.length === 0) throw notFound('member');
    if (member.role === 'worker')
      await tx
        .insert(removedWorkers)
        .values({ projectId: member.projectId, userId: member.userId })
        .onConflictDoNothing();
    await recordChange(tx, actor, 'member.remove', member);
  });
}

/** The removal of a worker from a project. */
export const isRemoved = ({ projectId, userId }: Pick<Member, 'projectId' | 'userId'>) =>
  and(eq(removedWorkers.projectId, projectId), eq(removedWorkers.userId, userId));

const recordChange = (tx: Db, actor: Actor, verb: string, { projectId, userId, role }: Member) =>
  record(tx, { actor, verb, subject: 'user', subjectId: userId, projectId, detail: { role } });

/** Where a person works and as what; tells the navigation which of the three homes is theirs. */
export async function myRoles(db: Db, actor: UserActor) {
  return db
    .select({
      project: projects.slug,
      name: projects.name,
      state: projects.state,
      roles: sql<Role[]>`array_agg(${memberships.role} order by ${memberships.role})`,
    })
    .from(memberships)
    .innerJoin(projects, eq(projects.id, memberships.projectId))
    .where(and(eq(memberships.userId, actor.userId), ne(projects.state, 'archived')))
    .groupBy(projects.id)
    .orderBy(asc(projects.name), asc(projects.id));
}

/** People who only work go to their work; everyone else goes to the projects. */
export async function homeOf(db: Db, actor: UserActor): Promise<'/annotate' | '/projects'> {
  if (actor.isAdmin) return '/projects';
  const held = await db
    .selectDistinct({ role: tables.memberships.role })
    .from(tables.memberships)
    .where(eq(tables.memberships.userId, actor.userId));
  return held.length > 0 && held.every(({ role }) => role === 'worker') ? '/annotate' : '/projects';
}
