import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';

const { items, stages } = tables;

export type AnsweredStage = {
  id: string;
  name: string;
  kind: StageKind;
  /** Items that two people or more have answered. */
  several: number;
  /** Of these, the middle number of answers; null where there are none. */
  overlap: number | null;
};

/** The stages of a project with how many of their items have several answers. One statement. */
export async function stagesWithAnswers(db: Db, projectId: string): Promise<AnsweredStage[]> {
  const found = await db.execute<AnsweredStage>(sql`
    select s.id, s.name, s.kind, count(i.id)::int as several,
      percentile_disc(0.5) within group (order by i.answered) as overlap
    from ${stages} s left join ${items} i on i.stage_id = s.id and i.answered > 1
    where s.project_id = ${projectId} group by s.id order by s.position`);
  return found.rows;
}
