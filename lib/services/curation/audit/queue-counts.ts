import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { images, labelRisks, labels } = tables;

export type Counted = { value: string; n: number };

export type QueueCounts = {
  /** Current labels, how many of them somebody reviewed, and how many wait for their rating. */
  labels: number;
  reviewed: number;
  unrated: number;
  /** The mean risk of those that wait times their number: how many wrong labels are expected among them. */
  expectedErrors: number;
  /** How many of those that wait the promoted model says something about. */
  disagreeing: number;
  stages: Counted[];
  targets: Counted[];
  classes: Counted[];
  warnings: Counted[];
};

type Row = { by: string; value: string; n: number };

/** What waits in the queue, by everything that it can be filtered by. Two statements. */
export async function queueCounts(db: Db, projectId: string): Promise<QueueCounts> {
  const sums = await db.execute<Omit<QueueCounts, 'stages' | 'targets' | 'classes' | 'warnings'>>(sql`
    select count(*)::int as labels, (count(*) filter (where r.reviewed_at is not null))::int as reviewed,
      (count(*) filter (where r.label_id is null))::int as unrated,
      (count(*) filter (where r.reviewed_at is null and r.disagreement is not null))::int as disagreeing,
      coalesce(sum(r.risk) filter (where r.reviewed_at is null), 0)::float as "expectedErrors"
    from ${labels} l left join ${labelRisks} r on r.label_id = l.id
    where l.project_id = ${projectId} and l.is_current`);
  const found = await db.execute<Row>(sql`
    with waiting as materialized (
      select r.stage_id::text as stage, l.target, p.class_name as class, r.warnings
      from ${labelRisks} r
      join ${labels} l on l.id = r.label_id and l.is_current
      join ${images} p on p.id = l.image_id
      where r.project_id = ${projectId} and r.reviewed_at is null)
    select 'stage' as by, stage as value, count(*)::int as n from waiting group by 2
    union all select 'target', target, count(*)::int from waiting where target <> '' group by 2
    union all select 'class', class, count(*)::int from waiting where class is not null group by 2
    union all select 'warning', w, count(*)::int from waiting, unnest(warnings) w group by 2
    order by 1, 3 desc, 2`);
  const by = (name: string) =>
    found.rows.filter((row) => row.by === name).map(({ value, n }) => ({ value, n }));
  const [sum] = sums.rows;
  return {
    labels: sum?.labels ?? 0,
    reviewed: sum?.reviewed ?? 0,
    unrated: sum?.unrated ?? 0,
    expectedErrors: sum?.expectedErrors ?? 0,
    disagreeing: sum?.disagreeing ?? 0,
    stages: by('stage'),
    targets: by('target'),
    classes: by('class'),
    warnings: by('warning'),
  };
}
