import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type ClassSupply, type ShortClass, shortClasses } from '@/lib/core/quality/gold-balance';
import { groupBy } from '@/lib/core/quality/group-by';

const { gold, images, items } = tables;

type Row = ClassSupply & { stageId: string };

/** Classes of each stage that have much less gold for hidden checks than their share of the images. */
export async function goldBalance(db: Db, projectId: string): Promise<Map<string, ShortClass[]>> {
  const found = await db.execute<Row & Record<string, unknown>>(sql`
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
