import { and, inArray, isNull } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Job } from '@/lib/services/jobs/types';

const { jobs } = tables;

/** Those of some jobs that are not over, by id. One statement. */
export async function jobsAtWork(db: Db, ids: readonly string[]): Promise<Map<string, Job>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select()
    .from(jobs)
    .where(and(inArray(jobs.id, [...ids]), isNull(jobs.finishedAt)));
  return new Map(found.map((job) => [job.id, job]));
}
