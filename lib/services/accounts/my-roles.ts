import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Role } from '@/db/schema';
import type { UserActor } from '@/lib/services/access';

const { memberships, projects } = tables;

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
