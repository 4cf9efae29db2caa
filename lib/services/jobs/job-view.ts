import { desc, eq, getTableColumns, type SQL } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Job } from './types';

const { jobs, projects, users } = tables;

export interface JobView extends Job {
  projectSlug: string | null;
  projectName: string | null;
  startedByName: string | null;
}

/** Jobs with the names that people know their projects and starters by, newest first. One statement. */
export const selectJobs = (db: Db, where: SQL | undefined, limit: number): Promise<JobView[]> =>
  db
    .select({
      ...getTableColumns(jobs),
      projectSlug: projects.slug,
      projectName: projects.name,
      startedByName: users.name,
    })
    .from(jobs)
    .leftJoin(projects, eq(projects.id, jobs.projectId))
    .leftJoin(users, eq(users.id, jobs.startedBy))
    .where(where)
    .orderBy(desc(jobs.id))
    .limit(limit);
