import { and, desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Job } from '@/lib/services/jobs/types';

const { jobs } = tables;

/** The newest job of a kind about a version, which its title names; null when there was none. */
export async function newestJob(
  db: Db,
  { projectId, kind, title }: { projectId: string; kind: string; title: string },
): Promise<Job | null> {
  const [found] = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.projectId, projectId), eq(jobs.kind, kind), eq(jobs.title, title)))
    .orderBy(desc(jobs.id))
    .limit(1);
  return found ?? null;
}
