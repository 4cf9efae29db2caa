import { and, asc, eq, getTableColumns, gt, or, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Role } from '@/db/schema';

const { memberships, projects, users } = tables;

export interface UserQuery {
  limit: number;
  /** Id of the last user of the page before. */
  after?: string;
  /** Part of a name or of an e-mail address. */
  search?: string;
}

export interface HeldRole {
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
