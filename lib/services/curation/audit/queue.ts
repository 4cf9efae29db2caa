import { type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { positivesOf } from '@/lib/core/quality/score-check';
import { signBlobUrl } from '@/lib/services/storage';

const { derivatives, images, labelRisks, labels, sliceImages } = tables;

export type QueueFilter = {
  stageId?: string;
  target?: string;
  /** The id of a warning. */
  warning?: string;
  className?: string;
  /** Labels of one image, or of the images of a slice. */
  imageId?: string;
  sliceId?: string;
  /** By the risk, if nothing else is said. By the model: only labels that it says something about. */
  order?: QueueOrder;
};

export const queueOrders = ['risk', 'disagreement'] as const;
type QueueOrder = (typeof queueOrders)[number];

/** Where a page ends: the number that the queue is ordered by, and the label. */
type QueuePlace = { value: number; labelId: string };

type QueueRow = {
  labelId: string;
  /** Null if nothing is known, as of an imported label before a sample is audited. */
  risk: number | null;
  source: string;
  /** Instances if there are several, otherwise null. */
  instances: number | null;
  agreement: number | null;
  /** How far the promoted model is from the label; null where it says nothing. */
  disagreement: number | null;
  warnings: string[];
  stageId: string;
  target: string;
  /** attributes, mask, nothing or class. */
  kind: string;
  mask: string | null;
  /** The attributes that the label marks. */
  chosen: string[];
  imageName: string;
  className: string | null;
  width: number;
  height: number;
  pictureUrl: string;
};

type Row = Omit<QueueRow, 'pictureUrl' | 'chosen'> & {
  blob: string;
  value: AnswerValue | null;
  rank: number;
};

/**
 * Labels that nobody has reviewed, the likeliest to be wrong first and those of which nothing is known last. One statement, in the order of the index, which
 * has no value last: a page of a hundred thousand labels reads as many rows as it shows.
 */
export async function listQueue(
  db: Db,
  input: QueueFilter & { projectId: string; after?: QueuePlace; limit: number },
): Promise<{ rows: QueueRow[]; next: QueuePlace | null }> {
  const { after, limit, order = 'risk' } = input;
  const column = order === 'risk' ? 'rank' : order;
  const by = sql.raw(`r.${column}`);
  const found = await db.execute<Row>(sql`
    select r.label_id as "labelId", r.risk, r.rank, l.source,
      jsonb_array_length(l.value->'instances') as instances, r.agreement, r.disagreement, r.warnings, r.stage_id as "stageId", l.target,
      l.value->>'kind' as kind, l.mask, case when l.mask is null then l.value end as value, p.name as "imageName", p.class_name as "className", p.width, p.height,
      coalesce(d.blob, p.blob) as blob
    from ${labelRisks} r
    join ${labels} l on l.id = r.label_id and l.is_current
    join ${images} p on p.id = l.image_id
    left join ${derivatives} d on d.image_id = p.id and d.kind = 'working'
    where ${inQueue(input)}
      ${after ? sql`and (${by} < ${after.value}::real or (${by} = ${after.value}::real and r.label_id > ${after.labelId}))` : sql``}
    order by ${by} desc nulls last, r.label_id limit ${limit + 1}`);
  const page = found.rows.slice(0, limit);
  const rows = page.map(({ blob, value, rank: _, ...row }) => ({
    ...row,
    chosen: value ? positivesOf(value) : [],
    pictureUrl: signBlobUrl(blob),
  }));
  const last = page.at(-1);
  const hasMore = found.rows.length > limit && last !== undefined;
  return { rows, next: hasMore ? { value: last[column] ?? 0, labelId: last.labelId } : null };
}

/** Of rows `r` of risks, `l` of labels and `p` of images. */
function inQueue({
  projectId,
  stageId,
  target,
  warning,
  className,
  imageId,
  sliceId,
  order,
}: QueueFilter & { projectId: string }): SQL {
  const wanted = [
    sql`r.project_id = ${projectId} and r.reviewed_at is null`,
    stageId && sql`r.stage_id = ${stageId}`,
    target !== undefined && sql`l.target = ${target}`,
    warning && sql`${warning} = any (r.warnings)`,
    className && sql`p.class_name = ${className}`,
    imageId && sql`p.id = ${imageId}`,
    sliceId &&
      sql`exists (select 1 from ${sliceImages} m where m.slice_id = ${sliceId} and m.image_id = p.id)`,
    order === 'disagreement' && sql`r.disagreement is not null`,
  ].filter((condition) => condition !== undefined && condition !== '' && condition !== false) as SQL[];
  return sql.join(wanted, sql` and `);
}

/** How many labels wait in the part of the queue that a filter shows. */
export async function countQueue(db: Db, filter: QueueFilter & { projectId: string }): Promise<number> {
  const found = await db.execute<{ n: number }>(sql`
    select count(*)::int as n
    from ${labelRisks} r
    join ${labels} l on l.id = r.label_id and l.is_current
    join ${images} p on p.id = l.image_id
    where ${inQueue(filter)}`);
  return found.rows[0]?.n ?? 0;
}

export type Counted = { value: string; n: number };

export type QueueCounts = {
  /** Current labels, how many of them somebody reviewed, and how many wait for their rating. */
  labels: number;
  reviewed: number;
  unrated: number;
  /** The mean risk of those that wait times their number: how many wrong labels are expected among them. */
  expectedErrors: number;
  /** How many of those that wait have no risk: imported labels of which no sample was audited. */
  unknown: number;
  /** How many of those that wait the promoted model says something about. */
  disagreeing: number;
  stages: Counted[];
  targets: Counted[];
  classes: Counted[];
  warnings: Counted[];
};

type CountRow = { by: string; value: string; n: number };

/** What waits in the queue, by everything that it can be filtered by. Two statements. */
export async function queueCounts(db: Db, projectId: string): Promise<QueueCounts> {
  const sums = await db.execute<Omit<QueueCounts, 'stages' | 'targets' | 'classes' | 'warnings'>>(sql`
    select count(*)::int as labels, (count(*) filter (where r.reviewed_at is not null))::int as reviewed,
      (count(*) filter (where r.label_id is null))::int as unrated,
      (count(*) filter (where r.reviewed_at is null and r.disagreement is not null))::int as disagreeing,
      (count(*) filter (where r.reviewed_at is null and r.label_id is not null and r.risk is null))::int as unknown,
      coalesce(sum(r.risk) filter (where r.reviewed_at is null), 0)::float as "expectedErrors"
    from ${labels} l left join ${labelRisks} r on r.label_id = l.id
    where l.project_id = ${projectId} and l.is_current`);
  const found = await db.execute<CountRow>(sql`
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
    unknown: sum?.unknown ?? 0,
    disagreeing: sum?.disagreeing ?? 0,
    stages: by('stage'),
    targets: by('target'),
    classes: by('class'),
    warnings: by('warning'),
  };
}
