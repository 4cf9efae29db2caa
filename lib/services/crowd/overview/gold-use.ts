import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import {
  type ClassSupply,
  type Exposure,
  type ExposureTrend,
  exposureTrend,
  LEAK_P,
  type ShortClass,
  shortClasses,
} from '@/lib/core/quality/gold-balance';
import { groupBy } from '@/lib/core/quality/group-by';
import { hasDrifted } from '../gold/rotate-gold';

const { batches, checks, gold, images, items, leases, memberships } = tables;

export interface GoldUse {
  id: string;
  stageId: string;
  imageId: string;
  image: string;
  target: string;
  state: 'candidate' | 'active' | 'excluded' | 'retired';
  exposures: number;
  /** Of those who met it, exams and practice included. */
  checks: number;
  passed: number;
  /** Recent workers pass it so much more often that its answer may have leaked. */
  hasDrifted: boolean;
}

type Raw = Omit<GoldUse, 'checks' | 'passed' | 'hasDrifted'> & { outcomes: boolean[] };

/** Every gold item of a project with what became of its checks: candidates first, then the most exposed. */
export async function goldUse(db: Db, projectId: string): Promise<GoldUse[]> {
  const result = await db.execute<Raw>(sql`
    select g.id, i.stage_id as "stageId", i.image_id as "imageId", image.name as image, i.target, g.state,
      g.exposures,
      array(select c.passed from ${checks} c where c.gold_id = g.id and c.passed is not null
        order by c.scored_at, c.id) as outcomes
    from ${gold} g join ${items} i on i.id = g.item_id join ${images} image on image.id = i.image_id
    where g.project_id = ${projectId}
    order by g.state = 'candidate' desc, g.exposures desc, g.id`);
  return result.rows.map(({ outcomes, ...row }) => ({
    ...row,
    checks: outcomes.length,
    passed: outcomes.filter(Boolean).length,
    hasDrifted: hasDrifted(outcomes),
  }));
}

export interface CheckDay {
  stageId: string;
  /** "2026-11-16", UTC. */
  day: string;
  answers: number;
  checks: number;
  passed: number;
}

/** How many of the answers of each of the last 30 days were checks, and how many of these were passed. */
export async function checkDays(db: Db, projectId: string): Promise<CheckDay[]> {
  const result = await db.execute<{ [Key in keyof CheckDay]: CheckDay[Key] }>(sql`
    select b.stage_id as "stageId", to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      count(*)::int as answers, count(c.passed)::int as checks,
      (count(*) filter (where c.passed))::int as passed
    from ${batches} b join ${leases} l on l.batch_id = b.id
    join ${tables.answers} a on a.lease_id = l.id left join ${checks} c on c.lease_id = l.id
    where b.project_id = ${projectId} and b.kind = 'work' and a.created_at > now() - interval '30 days'
    group by 1, 2 order by 2, 1`);
  return result.rows;
}

type GoldBalanceRow = ClassSupply & { stageId: string };

/** Classes of each stage that have much less gold for hidden checks than their share of the images. */
export async function goldBalance(db: Db, projectId: string): Promise<Map<string, ShortClass[]>> {
  const found = await db.execute<GoldBalanceRow & Record<string, unknown>>(sql`
    with known as (
      select i.stage_id, image.class_name, count(distinct i.image_id)::int as gold
      from ${gold} g
      join ${items} i on i.id = g.item_id
      join ${images} image on image.id = i.image_id
      where g.project_id = ${projectId} and g.state = 'active' and g.pool = 'check'
      group by 1, 2),
    classes as (
      select class_name, count(*)::int as images from ${images}
      where project_id = ${projectId} and state = 'active' group by 1)
    select s.stage_id as "stageId", c.class_name as "className", c.images, coalesce(k.gold, 0) as gold
    from (select distinct stage_id from known) s
    cross join classes c
    left join known k on k.stage_id = s.stage_id and k.class_name is not distinct from c.class_name`);
  const stages = groupBy(found.rows, ({ stageId }) => stageId);
  return new Map([...stages].map(([stageId, supply]) => [stageId, shortClasses(supply)]));
}

type GoldLeaksRow = Exposure & { stageId: string };

/** Maximum number of checks in the test. More would not change its result. */
const NEWEST = 20_000;

/**
 * Finds stages in which earlier exposure of gold within a cohort predicts passing, which suggests that workers share
 * answers. One statement over the newest hidden checks of the project.
 */
export async function goldLeaks(db: Db, projectId: string): Promise<Map<string, ExposureTrend>> {
  const found = await db.execute<GoldLeaksRow & Record<string, unknown>>(sql`
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
