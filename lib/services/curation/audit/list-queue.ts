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
export type QueueOrder = (typeof queueOrders)[number];

/** Where a page ends: the number that the queue is ordered by, and the label. */
export type QueuePlace = { value: number; labelId: string };

export type QueueRow = {
  labelId: string;
  risk: number;
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

type Row = Omit<QueueRow, 'pictureUrl' | 'chosen'> & { blob: string; value: AnswerValue | null };

/**
 * Labels that nobody has reviewed, the likeliest to be wrong first. One statement, in the order of the index, which
 * has no value last: a page of a hundred thousand labels reads as many rows as it shows.
 */
export async function listQueue(
  db: Db,
  input: QueueFilter & { projectId: string; after?: QueuePlace; limit: number },
): Promise<{ rows: QueueRow[]; next: QueuePlace | null }> {
  const { after, limit, order = 'risk' } = input;
  const by = sql.raw(`r.${order}`);
  const found = await db.execute<Row>(sql`
    select r.label_id as "labelId", r.risk, r.agreement, r.disagreement, r.warnings, r.stage_id as "stageId", l.target,
      l.value->>'kind' as kind, l.mask, case when l.mask is null then l.value end as value, p.name as "imageName", p.class_name as "className", p.width, p.height,
      coalesce(d.blob, p.blob) as blob
    from ${labelRisks} r
    join ${labels} l on l.id = r.label_id and l.is_current
    join ${images} p on p.id = l.image_id
    left join ${derivatives} d on d.image_id = p.id and d.kind = 'working'
    where ${inQueue(input)}
      ${after ? sql`and (${by} < ${after.value}::real or (${by} = ${after.value}::real and r.label_id > ${after.labelId}))` : sql``}
    order by ${by} desc nulls last, r.label_id limit ${limit + 1}`);
  const rows = found.rows.slice(0, limit).map(({ blob, value, ...row }) => ({
    ...row,
    chosen: value ? positivesOf(value) : [],
    pictureUrl: signBlobUrl(blob),
  }));
  const last = rows.at(-1);
  const hasMore = found.rows.length > limit && last !== undefined;
  return { rows, next: hasMore ? { value: last[order] ?? 0, labelId: last.labelId } : null };
}

/** Of rows `r` of risks, `l` of labels and `p` of images. */
export function inQueue({
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
