import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { answers, batches, leases, stages, standings, checks, items, exams, users } = tables;

export interface WorkerStageWork {
  stageId: string;
  standing: 'active' | 'refresher' | 'paused' | 'ended' | null;
  since: Date | null;
  /** Parts that the worker does not receive. */
  pausedTargets: string[];
  items: number;
  /** Seconds per item: the worker's median, and the median and the 5 % point of everybody. */
  medianSeconds: number | null;
  poolMedianSeconds: number | null;
  poolFifthSeconds: number | null;
  lastAt: Date | null;
}

type WorkerStagesRaw = Omit<WorkerStageWork, 'since' | 'lastAt'> & {
  since: string | null;
  lastAt: string | null;
};

/** What a worker has done in each stage of a project, beside what everybody does there. */
export async function workerStages(db: Db, projectId: string, workerId: string): Promise<WorkerStageWork[]> {
  const result = await db.execute<WorkerStagesRaw>(sql`
    with done as (
      select b.stage_id, b.worker_id, a.active_ms / 1000.0 as seconds, a.created_at
      from ${batches} b join ${leases} l on l.batch_id = b.id join ${answers} a on a.lease_id = l.id
      where b.project_id = ${projectId} and b.kind = 'work'),
    pool as (
      select stage_id, percentile_cont(0.5) within group (order by seconds) as median,
        percentile_cont(0.05) within group (order by seconds) as fifth
      from done group by stage_id),
    own as (
      select stage_id, count(*)::int as items, percentile_cont(0.5) within group (order by seconds) as median,
        max(created_at) as last_at
      from done where worker_id = ${workerId} group by stage_id)
    select s.id as "stageId", st.state as standing, st.since,
      coalesce(st.paused_targets, '{}') as "pausedTargets", coalesce(own.items, 0) as items,
      own.median as "medianSeconds", pool.median as "poolMedianSeconds", pool.fifth as "poolFifthSeconds",
      own.last_at as "lastAt"
    from ${stages} s
    left join ${standings} st on st.stage_id = s.id and st.worker_id = ${workerId}
    left join own on own.stage_id = s.id left join pool on pool.stage_id = s.id
    where s.project_id = ${projectId} order by s.position`);
  return result.rows.map((row) => ({ ...row, since: asDate(row.since), lastAt: asDate(row.lastAt) }));
}

/** Enough to see the shape of it; the page draws it, nobody reads it. */
const MOST = 2000;

/** Active seconds of the worker's newest items, newest first. */
export async function workerTimes(db: Db, projectId: string, workerId: string) {
  const rows = await db
    .select({ stageId: batches.stageId, activeMs: answers.activeMs })
    .from(answers)
    .innerJoin(leases, eq(leases.id, answers.leaseId))
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .where(and(eq(answers.workerId, workerId), eq(batches.projectId, projectId), eq(batches.kind, 'work')))
    .orderBy(desc(answers.createdAt))
    .limit(MOST);
  return rows.map(({ stageId, activeMs }) => ({ stageId, seconds: activeMs / 1000 }));
}

/** Every scored check of a worker in a project, exams included, in time order. */
export async function workerChecks(db: Db, projectId: string, workerId: string) {
  return db
    .select({
      id: checks.id,
      goldId: checks.goldId,
      stageId: batches.stageId,
      kind: batches.kind,
      target: items.target,
      imageId: items.imageId,
      passed: checks.passed,
      score: checks.score,
      at: checks.scoredAt,
      activeMs: answers.activeMs,
    })
    .from(checks)
    .innerJoin(leases, eq(leases.id, checks.leaseId))
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(answers, eq(answers.leaseId, leases.id))
    .where(and(eq(batches.projectId, projectId), eq(checks.workerId, workerId), isNotNull(checks.scoredAt)))
    .orderBy(asc(checks.scoredAt), asc(checks.id));
}

export type WorkerCheck = Awaited<ReturnType<typeof workerChecks>>[number];

export interface ExamAttempt {
  id: string;
  stageId: string;
  workerId: string;
  name: string;
  attempt: number;
  precision: number | null;
  recall: number | null;
  /** Share of the options of all forms that are as in the gold; null for masks. */
  accuracy: number | null;
  meanIou: number | null;
  passed: boolean;
  finishedAt: Date;
}

type ExamAttemptsRaw = Omit<ExamAttempt, 'finishedAt' | 'accuracy'> & {
  finishedAt: string;
  wrong: number | null;
  forms: number;
};

/** Every finished exam of a project, or of one worker in it, oldest first. */
export async function examAttempts(
  db: Db,
  projectId: string,
  { options, workerId }: { options: number; workerId?: string },
): Promise<ExamAttempt[]> {
  const ofWorker = workerId ? sql`and e.worker_id = ${workerId}` : sql``;
  const result = await db.execute<ExamAttemptsRaw>(sql`
    select e.id, e.stage_id as "stageId", e.worker_id as "workerId", u.name, e.attempt, e.precision, e.recall,
      e.mean_iou as "meanIou", e.passed, e.finished_at as "finishedAt", scored.wrong, scored.forms
    from ${exams} e join ${users} u on u.id = e.worker_id join ${batches} b on b.id = e.batch_id
    cross join lateral (
      select count(*)::int as forms,
        sum((c.score->>'falsePositives')::int + (c.score->>'falseNegatives')::int)::int as wrong
      from ${leases} l join ${checks} c on c.lease_id = l.id
      where l.batch_id = b.id and c.passed is not null) scored
    where e.project_id = ${projectId} and e.passed is not null ${ofWorker}
    order by e.finished_at, e.id`);
  return result.rows.map(({ wrong, forms, ...row }) => ({
    ...row,
    accuracy: wrong === null || options === 0 ? null : 1 - wrong / (forms * options),
    finishedAt: asDate(row.finishedAt) as Date,
  }));
}

/** Statements written by hand give moments as text. */
export const asDate = (text: string | null): Date | null => (text === null ? null : new Date(text));
