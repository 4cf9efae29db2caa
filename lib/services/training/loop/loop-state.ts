import { desc, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { PREDICT_JOB } from '@/lib/services/inference/predictions';
import type { Job } from '@/lib/services/jobs/types';
import { SELECT_JOB, SELECTED } from './select-next';

const { images, items, jobs, predictions, stages } = tables;

export interface LoopStage {
  id: string;
  name: string;
  kind: string;
  policy: Record<string, unknown>;
  /** Images that the stage still asks about, those that were chosen to come first, and those the model has seen. */
  open: number;
  chosen: number;
  seen: number;
}

export interface LoopState {
  /** Active images, and how many of them the model has seen. */
  images: number;
  seen: number;
  stages: LoopStage[];
  predicting: Job | null;
  selecting: Job | null;
}

/** How far a model is with the images of its project, and what the stages ask next. Three statements. */
export async function loopState(db: Db, projectId: string, modelId: string): Promise<LoopState> {
  const counted = await db.execute<{ images: number; seen: number }>(sql`
    select count(*)::int as images, count(p.image_id)::int as seen
    from ${images} i left join ${predictions} p on p.model_id = ${modelId} and p.image_id = i.id
    where i.project_id = ${projectId} and i.state = 'active'`);
  const asked = await db.execute<Record<string, unknown> & LoopStage>(sql`
    select s.id, s.name, s.kind, s.policy, coalesce(n.open, 0)::int as open, coalesce(n.chosen, 0)::int as chosen,
      coalesce(n.seen, 0)::int as seen
    from ${stages} s left join (
      select i.stage_id, count(distinct i.image_id) as open,
        count(distinct i.image_id) filter (where i.priority = ${SELECTED}) as chosen,
        count(distinct p.image_id) as seen
      from ${items} i left join ${predictions} p on p.model_id = ${modelId} and p.image_id = i.image_id
      where i.project_id = ${projectId} and i.state = 'open' group by 1) n on n.stage_id = s.id
    where s.project_id = ${projectId} order by s.position`);
  const newest = await db
    .selectDistinctOn([jobs.kind])
    .from(jobs)
    .where(sql`${jobs.projectId} = ${projectId} and ${jobs.kind} in (${PREDICT_JOB}, ${SELECT_JOB})`)
    .orderBy(jobs.kind, desc(jobs.id));
  const jobOf = (kind: string) => newest.find((job) => job.kind === kind) ?? null;
  return {
    images: counted.rows[0]?.images ?? 0,
    seen: counted.rows[0]?.seen ?? 0,
    stages: asked.rows,
    predicting: jobOf(PREDICT_JOB),
    selecting: jobOf(SELECT_JOB),
  };
}
