import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { FORECAST_DAYS } from './forecast';

const { answers, batches, items, leases, stages } = tables;

export interface StagePace {
  stageId: string;
  /** Answers that open items still want, those out on lease included. */
  left: number;
  /** Answers in each of the last days of 24 hours, the newest first. */
  perDay: number[];
}

type Raw = { stageId: string; left: number; perDay: Record<string, number> | null };

/** What is left to answer in each stage, and how fast answers have been coming. One statement. */
export async function paceOf(db: Db, projectId: string): Promise<StagePace[]> {
  const found = await db.execute<Raw>(sql`
    with came as (
      select b.stage_id, floor(extract(epoch from now() - a.created_at) / 86400)::int as ago, count(*)::int as n
      from ${batches} b join ${leases} l on l.batch_id = b.id join ${answers} a on a.lease_id = l.id
      where b.project_id = ${projectId} and b.kind = 'work'
        and a.created_at > now() - ${FORECAST_DAYS} * interval '24 hours'
      group by 1, 2),
    days as (select stage_id, jsonb_object_agg(ago, n) as per_day from came group by stage_id),
    waiting as (
      select stage_id, sum(greatest(overlap - answered, 0))::int as left from ${items}
      where project_id = ${projectId} and state = 'open' group by stage_id)
    select s.id as "stageId", coalesce(waiting.left, 0) as left, days.per_day as "perDay"
    from ${stages} s left join days on days.stage_id = s.id left join waiting on waiting.stage_id = s.id
    where s.project_id = ${projectId} order by s.position`);
  return found.rows.map(({ perDay, ...row }) => ({
    ...row,
    perDay: Array.from({ length: FORECAST_DAYS }, (_, ago) => perDay?.[ago] ?? 0),
  }));
}
