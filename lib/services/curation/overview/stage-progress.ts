import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { items, stages } = tables;

export type StageProgress = {
  id: string;
  name: string;
  kind: string;
  state: string;
  /** Items that are asked or were; withdrawn ones are neither. */
  total: number;
  settled: number;
  leased: number;
  /** Answers that open items still want, those out on lease included. */
  left: number;
};

/** How far each stage is, from the counters of its items: no answer is read. One statement. */
export async function stageProgress(db: Db, projectId: string): Promise<StageProgress[]> {
  const result = await db.execute<StageProgress>(sql`
    select s.id, s.name, s.kind, s.state, coalesce(i.total, 0) as total, coalesce(i.settled, 0) as settled,
      coalesce(i.leased, 0) as leased, coalesce(i."left", 0) as "left"
    from ${stages} s left join (
      select stage_id, (count(*) filter (where state <> 'withdrawn'))::int as total,
        (count(*) filter (where state = 'settled'))::int as settled,
        sum(leased)::int as leased,
        coalesce(sum(greatest(overlap - answered, 0)) filter (where state = 'open'), 0)::int as "left"
      from ${items} where project_id = ${projectId} group by stage_id) i on i.stage_id = s.id
    where s.project_id = ${projectId} order by s.position`);
  return result.rows;
}
