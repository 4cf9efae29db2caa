import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import type { JobSpec } from '@/lib/core/training-spec';
import type { LauncherKind } from '../launch';
import { withoutImages } from '../report/changed-settings';
import { RunResult } from './follow-events';
import type { RunOptions } from './prepare-run';
import { isOpen } from './start-run';

const { jobs, models, runs, users, versions } = tables;

export interface RunView {
  id: string;
  name: string;
  versionId: string;
  version: number;
  spec: JobSpec;
  study: string | null;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  attempt: number;
  launcher: LauncherKind;
  /** What is told apart. */
  classes: RunOptions['classes'];
  trainer: string | null;
  result: RunResult | null;
  modelId: string | null;
  jobId: string | null;
  /** Of the job: what it does at the moment, and how far it is. */
  text: string;
  done: number;
  total: number | null;
  error: string | null;
  by: string | null;
  at: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** The runs of a project, newest first, without the outcome of every test image. One statement. */
export const listRuns = (
  db: Db,
  { projectId, before, limit = 100 }: { projectId: string; before?: string; limit?: number },
): Promise<RunView[]> =>
  select(db, and(eq(runs.projectId, projectId), before ? lt(runs.id, before) : undefined), limit, true);

export async function getRun(
  db: Db,
  { projectId, runId }: { projectId: string; runId: string },
): Promise<RunView> {
  const [found] = await select(db, and(eq(runs.projectId, projectId), eq(runs.id, runId)), 1);
  if (!found) throw notFound('run');
  return found;
}

async function select(db: Db, where: SQL | undefined, limit: number, isList = false): Promise<RunView[]> {
  const rows = await db
    .select({
      id: runs.id,
      name: runs.name,
      versionId: runs.versionId,
      version: versions.number,
      spec: sql<JobSpec>`${runs.spec}`,
      study: runs.study,
      state: runs.state,
      attempt: runs.attempt,
      launcher: runs.launcher,
      classes: distinguishNames(runs.options),
      trainer: runs.trainer,
      result: isList ? withoutImages(runs.result) : sql<Record<string, unknown> | null>`${runs.result}`,
      modelId: models.id,
      jobId: runs.jobId,
      jobState: jobs.state,
      text: sql<string>`coalesce(${jobs.text}, '')`,
      done: sql<number>`coalesce(${jobs.done}, 0)::int`,
      total: jobs.total,
      error: jobs.error,
      by: users.name,
      at: runs.createdAt,
      startedAt: runs.startedAt,
      finishedAt: runs.finishedAt,
    })
    .from(runs)
    .innerJoin(versions, eq(versions.id, runs.versionId))
    .leftJoin(models, eq(models.runId, runs.id))
    .leftJoin(jobs, eq(jobs.id, runs.jobId))
    .leftJoin(users, eq(users.id, runs.createdBy))
    .where(where)
    .orderBy(desc(runs.id))
    .limit(limit);
  return rows.map(({ jobState, result, ...row }) => ({
    ...row,
    result: result === null ? null : (RunResult.safeParse(result).data ?? null),
    // A job that was cancelled while no worker had it, or that failed for good, never came to the run's own row.
    state: isOpen(row.state) && (jobState === 'cancelled' || jobState === 'failed') ? jobState : row.state,
  }));
}

/** Of a run's options: whether it tells classes apart or super-classes. */
export const distinguishNames = (options: typeof tables.runs.options): SQL<RunOptions['classes']> =>
  sql<RunOptions['classes']>`coalesce(${options} ->> 'classes', 'class')`;
