import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { asDate } from './as-date';

const { answers, batches, leases, stages, standings } = tables;

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

type Raw = Omit<WorkerStageWork, 'since' | 'lastAt'> & { since: string | null; lastAt: string | null };

/** What a worker has done in each stage of a project, beside what everybody does there. */
export async function workerStages(db: Db, projectId: string, workerId: string): Promise<WorkerStageWork[]> {
  const result = await db.execute<Raw>(sql`
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
