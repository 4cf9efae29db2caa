import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type Exposure, type ExposureTrend, exposureTrend, LEAK_P } from '@/lib/core/quality/gold-balance';

const { batches, checks, gold, leases, memberships } = tables;

type Row = Exposure & { stageId: string };

/** Maximum number of checks in the test. More would not change its result. */
const NEWEST = 20_000;

/**
 * Finds stages in which earlier exposure of gold within a cohort predicts passing, which suggests that workers share
 * answers. One statement over the newest hidden checks of the project.
 */
export async function goldLeaks(db: Db, projectId: string): Promise<Map<string, ExposureTrend>> {
  const found = await db.execute<Row & Record<string, unknown>>(sql`
    select "stageId", "goldId", passed,
      (row_number() over (partition by "goldId", cohort order by scored_at, id) - 1)::int as before
    from (
      select b.stage_id as "stageId", c.gold_id as "goldId", c.passed, c.scored_at, c.id, m.cohort
      from ${gold} g
      join ${checks} c on c.gold_id = g.id and c.passed is not null
      join ${leases} l on l.id = c.lease_id
      join ${batches} b on b.id = l.batch_id and b.kind = 'work'
      left join ${memberships} m on m.project_id = b.project_id and m.user_id = c.worker_id and m.role = 'worker'
      where g.project_id = ${projectId}
      order by c.scored_at desc limit ${NEWEST}) newest`);
  const stages = new Map<string, Exposure[]>();
  for (const row of found.rows) {
    const list = stages.get(row.stageId);
    if (list) list.push(row);
    else stages.set(row.stageId, [row]);
  }
  return new Map(
    [...stages].flatMap(([stageId, exposures]) => {
      const trend = exposureTrend(exposures);
      return trend && trend.p < LEAK_P ? [[stageId, trend] as const] : [];
    }),
  );
}
