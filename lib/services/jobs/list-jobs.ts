import { and, asc, desc, eq, getTableColumns, gt, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { JobState } from '@/db/schema';
import { notFound, TesseraError } from '@/lib/core/errors';
import { type Actor, authorise, visibleProjects } from '@/lib/services/access';
import type { Job } from './types';

const { jobLogs, jobs, projects, users } = tables;

export interface ListJobs {
  states?: readonly JobState[];
  kind?: string;
  projectId?: string;
  /** The last id of the previous page. */
  after?: string;
  limit?: number;
}

export async function listJobs(
  db: Db,
  actor: Actor,
  input: ListJobs = {},
): Promise<{ jobs: JobView[]; next: string | null }> {
  const limit = input.limit ?? 50;
  const rows = await selectJobs(
    db,
    and(
      visibleJobs(actor),
      input.states && inArray(jobs.state, [...input.states]),
      input.kind ? eq(jobs.kind, input.kind) : undefined,
      input.projectId ? eq(jobs.projectId, input.projectId) : undefined,
      input.after ? lt(jobs.id, input.after) : undefined,
    ),
    limit + 1,
  );
  const page = rows.slice(0, limit);
  return { jobs: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

export type JobLog = Omit<typeof jobLogs.$inferSelect, 'jobId'>;

export interface JobWithLogs {
  job: JobView;
  logs: JobLog[];
  /** Pass it as `logsAfter` to get the following lines; null if there are none. */
  next: number | null;
}

export async function getJob(
  db: Db,
  actor: Actor,
  input: { jobId: string; logsAfter?: number; limit?: number },
): Promise<JobWithLogs> {
  await authoriseJob(db, actor, 'jobs.read', input.jobId);
  const limit = input.limit ?? 200;
  const [job] = await selectJobs(db, eq(jobs.id, input.jobId), 1);
  if (!job) throw notFound('job');
  const rows = await db
    .select({ seq: jobLogs.seq, level: jobLogs.level, text: jobLogs.text, createdAt: jobLogs.createdAt })
    .from(jobLogs)
    .where(and(eq(jobLogs.jobId, input.jobId), gt(jobLogs.seq, input.logsAfter ?? 0)))
    .orderBy(asc(jobLogs.seq))
    .limit(limit + 1);
  const logs = rows.slice(0, limit);
  return { job, logs, next: rows.length > limit ? (logs.at(-1)?.seq ?? null) : null };
}

export interface JobView extends Job {
  projectSlug: string | null;
  projectName: string | null;
  startedByName: string | null;
}

/** Selects jobs with the names of their projects and of the users who started them, newest first. */
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

/** SQL condition for the jobs that the actor may see; undefined if the actor may see all. */
function visibleJobs(actor: Actor): SQL | undefined {
  const visible = visibleProjects(actor, 'jobs.read');
  return (
    visible && sql`exists (select 1 from ${projects} where ${projects.id} = ${jobs.projectId} and ${visible})`
  );
}

/** The ids of projects whose jobs the actor may see, for repeated checks in a stream; null if the actor may see all. */
export async function visibleProjectIds(db: Db, actor: Actor): Promise<ReadonlySet<string> | null> {
  const visible = visibleProjects(actor, 'jobs.read');
  if (!visible) return null;
  const rows = await db.select({ id: projects.id }).from(projects).where(visible);
  return new Set(rows.map((row) => row.id));
}

/** Authorizes access to a job: by the rights in its project, or for admins only if it belongs to the instance. */
export async function authoriseJob(
  db: Db,
  actor: Actor,
  verb: 'jobs.read' | 'jobs.cancel',
  jobId: string,
): Promise<Job> {
  const [job] = await db.select().from(jobs).where(eq(jobs.id, jobId));
  if (!job) throw notFound('job');
  try {
    if (job.projectId) await authorise(db, actor, verb, { project: job.projectId });
    else await authorise(db, actor, 'jobs.manage', 'instance');
  } catch (error) {
    // The same message as for a job that does not exist.
    if (error instanceof TesseraError && error.kind === 'not-found') throw notFound('job');
    throw error;
  }
  return job;
}
