import { and, eq, inArray, lt } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { JobState } from '@/db/schema';
import type { Actor } from '@/lib/services/access';
import { type JobView, selectJobs } from './job-view';
import { visibleJobs } from './visible-jobs';

const { jobs } = tables;

export interface ListJobs {
  states?: readonly JobState[];
  kind?: string;
  projectId?: string;
  /** The last id of the page before. */
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
