import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { JobState } from '@/db/schema';
import type { Job } from './types';

const { jobs } = tables;

/** Every change of a job is told here; the payload is its id. */
export const jobChannel = 'tessera_jobs';

export const activeStates = ['queued', 'running', 'retrying'] as const satisfies readonly JobState[];
export const finalStates = ['done', 'failed', 'cancelled'] as const satisfies readonly JobState[];

export const isActive = (state: JobState): boolean => (activeStates as readonly JobState[]).includes(state);

type JobChange = {
  [Column in keyof typeof jobs.$inferInsert]?: (typeof jobs.$inferInsert)[Column] | SQL;
};

/** The one way a job row changes: stamps it and tells the listeners when the transaction commits. */
export async function changeJob(db: Db, where: SQL | undefined, change: JobChange): Promise<Job[]> {
  const changed = await db
    .update(jobs)
    .set({ ...change, updatedAt: sql`now()` })
    .where(where)
    .returning();
  await announce(
    db,
    changed.map((job) => job.id),
  );
  return changed;
}

export async function announce(db: Db, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return;
  await db.execute(
    sql`select pg_notify(${jobChannel}, id) from unnest(array[${sql.join(
      jobIds.map((id) => sql`${id}`),
      sql`, `,
    )}]::text[]) as id`,
  );
}

/**
 * A worker that was thought dead may wake up after its job was given to another. The number of the
 * attempt keeps it from writing over what the other does.
 */
export const heldBy = (jobId: string, attempt: number): SQL | undefined =>
  and(eq(jobs.id, jobId), eq(jobs.attempt, attempt), eq(jobs.state, 'running'));

export const isJob = (jobId: string, states: readonly JobState[]): SQL | undefined =>
  and(eq(jobs.id, jobId), inArray(jobs.state, [...states]));
