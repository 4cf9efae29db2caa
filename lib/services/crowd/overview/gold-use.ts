import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { hasDrifted } from '../gold/has-drifted';

const { batches, checks, gold, images, items, leases } = tables;

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
  /** Passed so much more often of late that its answer may have got about. */
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
