import { inArray, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { answers, items, stages, versionImages } = tables;

/** Minutes that people spent drawing on the training images of each version, by its id; none where nobody drew here. */
export async function drawingMinutes(db: Db, versionIds: readonly string[]): Promise<Map<string, number>> {
  if (versionIds.length === 0) return new Map();
  const found = await db.execute<{ versionId: string; minutes: number }>(sql`
    select v.version_id as "versionId", sum(a.active_ms)::float / 60000 as minutes
    from ${versionImages} v
    join ${items} i on i.image_id = v.image_id
    join ${stages} s on s.id = i.stage_id and s.kind in ('object-mask', 'part-mask')
    join ${answers} a on a.item_id = i.id
    where ${inArray(sql`v.version_id`, [...versionIds])} and v.split = 'train'
    group by v.version_id`);
  return new Map(found.rows.map(({ versionId, minutes }) => [versionId, minutes]));
}
