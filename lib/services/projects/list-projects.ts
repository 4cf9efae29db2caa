import { and, desc, getTableColumns, lt, ne } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type Actor, type ProjectVerb, rolesHeld, visibleProjects } from '@/lib/services/access';
import { countProjects, type ProjectCounts } from './count-projects';

const { projects } = tables;

export interface ProjectQuery {
  limit: number;
  /** Id of the last project of the page before. */
  before?: string;
  withArchived?: boolean;
  /** What the actor wants to do with them: workers list theirs by `work.read`. */
  verb?: ProjectVerb;
}

/** The projects that the actor may see, newest first, with counts and roles, in five statements. */
export async function listProjects(db: Db, actor: Actor, query: ProjectQuery) {
  const rows = await db
    .select({ ...getTableColumns(projects), roles: rolesHeld(db, actor) })
    .from(projects)
    .where(
      and(
        visibleProjects(actor, query.verb),
        query.before ? lt(projects.id, query.before) : undefined,
        query.withArchived ? undefined : ne(projects.state, 'archived'),
      ),
    )
    .orderBy(desc(projects.id))
    .limit(query.limit);
  const counts = await countProjects(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({ ...row, counts: counts.get(row.id) as ProjectCounts }));
}
