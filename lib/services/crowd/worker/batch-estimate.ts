import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { Policy } from '@/lib/core/quality/policy';
import { drawsMasks } from '../work/pay-for';

const { answers, batches, leases } = tables;

const FEWEST_ANSWERS = 5;
/** Batches that tell how long one takes now. */
const NEWEST_BATCHES = 20;

/**
 * How long the next batch of a stage will take, in milliseconds: the worker's own pace or, before there is one, that
 * of everybody; null when nobody has worked yet. A median, because one long break says nothing.
 */
export async function batchEstimate(
  db: Db,
  stage: { id: string; projectId: string; kind: StageKind },
  workerId: string,
  { batchSize }: Policy,
): Promise<number | null> {
  const own = await medianMs(db, stage, workerId);
  const perItem = own ?? (await medianMs(db, stage, null));
  return perItem === null
    ? null
    : perItem * (drawsMasks(stage.kind) ? batchSize.masks : batchSize.attributes);
}

async function medianMs(
  db: Db,
  stage: { id: string; projectId: string },
  workerId: string | null,
): Promise<number | null> {
  const whose = workerId === null ? sql`project_id = ${stage.projectId}` : sql`worker_id = ${workerId}`;
  const found = await db.execute<{ n: number; median: number | null }>(sql`
    select count(*)::int as n, percentile_cont(0.5) within group (order by a.active_ms)::float as median
    from (select id from ${batches} where ${whose} and stage_id = ${stage.id} and kind = 'work'
      and state = 'submitted' order by id desc limit ${NEWEST_BATCHES}) b
    join ${leases} l on l.batch_id = b.id
    join ${answers} a on a.lease_id = l.id`);
  const row = found.rows[0];
  return row && row.n >= FEWEST_ANSWERS ? row.median : null;
}
