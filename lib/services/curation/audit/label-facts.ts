import { type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { AnswerValue, StageKind } from '@/lib/core/quality/answer';

const { images, items, labelRisks, labels, stages } = tables;

export type LabelFacts = {
  id: string;
  itemId: string;
  imageId: string;
  stageId: string;
  stageKind: StageKind;
  schemaVersionId: string;
  target: string;
  value: AnswerValue;
  mask: string | null;
  confidence: number;
  width: number;
  height: number;
};

export type ToRate = { projectId: string; all: boolean };

/**
 * Labels that want a rating: current, not reviewed, and either never rated or of a picture on which another label
 * is new, for warnings look at the neighbours too.
 */
export function wantsRating({ projectId, all }: ToRate): SQL {
  const isNew = sql`exists (
    select 1 from ${labels} n left join ${labelRisks} nr on nr.label_id = n.id
    where n.image_id = l.image_id and n.is_current and nr.label_id is null)`;
  return sql`l.project_id = ${projectId} and l.is_current and r.reviewed_at is null ${all ? sql`` : sql`and ${isNew}`}`;
}

export async function labelsToRate(
  db: Db,
  want: ToRate & { after: string | null; limit: number },
): Promise<LabelFacts[]> {
  const found = await db.execute<LabelFacts>(sql`
    select l.id, l.item_id as "itemId", l.image_id as "imageId", i.stage_id as "stageId", s.kind as "stageKind",
      i.schema_version_id as "schemaVersionId", i.target, l.value, l.mask, l.confidence, p.width, p.height
    from ${labels} l
    join ${items} i on i.id = l.item_id
    join ${stages} s on s.id = i.stage_id
    join ${images} p on p.id = l.image_id
    left join ${labelRisks} r on r.label_id = l.id
    where ${wantsRating(want)} and (${want.after}::uuid is null or l.id > ${want.after}::uuid)
    order by l.id limit ${want.limit}`);
  return found.rows;
}

export async function countToRate(db: Db, want: ToRate): Promise<number> {
  const found = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from ${labels} l left join ${labelRisks} r on r.label_id = l.id
    where ${wantsRating(want)}`);
  return found.rows[0]?.n ?? 0;
}

export type PictureMask = {
  imageId: string;
  kind: StageKind;
  target: string;
  isOpen: boolean;
  mask: string | null;
};

/** What is asked and drawn in pictures: their objects, and which parts have a mask or are still being asked for. */
export async function drawnIn(db: Db, imageIds: readonly string[]): Promise<PictureMask[]> {
  const found = await db.execute<PictureMask>(sql`
    select i.image_id as "imageId", s.kind, i.target, i.state = 'open' as "isOpen",
      case when s.kind = 'object-mask' then l.mask when l.mask is not null then '' end as mask
    from ${items} i
    join ${stages} s on s.id = i.stage_id and s.kind in ('object-mask', 'part-mask')
    left join ${labels} l on l.item_id = i.id and l.is_current
    where i.image_id = any (${sql.param(imageIds)}::uuid[])`);
  return found.rows;
}
