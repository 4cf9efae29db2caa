import { and, asc, ne } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type Actor, rolesHeld, visibleProjects } from '@/lib/services/access';

const { projects } = tables;

/** More than this and the switcher is no longer a list to look through but one to search. */
const MAX_PROJECTS = 200;

/** What the navigation needs to know of the projects an actor may open: one statement, on every page. */
export async function listShellProjects(db: Db, actor: Actor) {
  return db
    .select({
      slug: projects.slug,
      name: projects.name,
      state: projects.state,
      roles: rolesHeld(db, actor),
    })
    .from(projects)
    .where(and(visibleProjects(actor), ne(projects.state, 'archived')))
    .orderBy(asc(projects.name))
    .limit(MAX_PROJECTS);
}
