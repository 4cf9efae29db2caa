import { eq, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound, TesseraError } from '@/lib/core/errors';
import { type Actor, authorise, visibleProjects } from '@/lib/services/access';
import type { Job } from './types';

const { jobs, projects } = tables;

/** True for the jobs of projects in which the actor may see jobs; undefined for who may see all. */
export function visibleJobs(actor: Actor): SQL | undefined {
  const visible = visibleProjects(actor, 'jobs.read');
  return (
    visible && sql`exists (select 1 from ${projects} where ${projects.id} = ${jobs.projectId} and ${visible})`
  );
}

/** The same as a predicate, for a stream that asks many times; null for who may see all. */
export async function visibleProjectIds(db: Db, actor: Actor): Promise<ReadonlySet<string> | null> {
  const visible = visibleProjects(actor, 'jobs.read');
  if (!visible) return null;
  const rows = await db.select({ id: projects.id }).from(projects).where(visible);
  return new Set(rows.map((row) => row.id));
}

/** Jobs of a project obey its rules; those of the installation are for its admins. */
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
    // In the same words as for a job that does not exist.
    if (error instanceof TesseraError && error.kind === 'not-found') throw notFound('job');
    throw error;
  }
  return job;
}
