import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { NONE } from '@/lib/core/schema';
import { signBlobUrl } from '@/lib/services/storage';

const { derivatives, gold, images, items, labels } = tables;

const EXAMPLES_PER_TARGET = 2;

type Row = {
  target: string;
  image_id: string;
  class_name: string | null;
  width: number;
  height: number;
  blob: string;
  mask: string | null;
};

export interface GuideExample {
  imageId: string;
  className: string | null;
  url: string;
  width: number;
  height: number;
  /** Compressed COCO counts, for what is drawn. */
  mask: string | null;
}

/**
 * Labelled pictures that show an attribute or a part, a few for each, of different classes if there are. A label may
 * be wrong, so an attribute is shown on classes that often have it, and a mask of middling size. A picture with a gold
 * item never appears: the guide would give its answer away.
 */
export async function guideExamples(db: Db, projectId: string): Promise<Map<string, GuideExample[]>> {
  const result = await db.execute<Row>(sql`
    with shown as (
      select i.id, i.class_name, i.width, i.height, coalesce(d.blob, i.blob) as blob,
        count(*) over (partition by i.class_name) as class_size
      from ${images} i left join ${derivatives} d on d.image_id = i.id and d.kind = 'working'
      where i.project_id = ${projectId} and i.state = 'active' and not exists (
        select 1 from ${items} q join ${gold} g on g.item_id = q.id where q.image_id = i.id)),
    settled as (
      select l.* from ${labels} l join ${items} q on q.id = l.item_id and q.state = 'settled'
      where l.project_id = ${projectId} and l.is_current),
    marked as (
      select l.image_id, option as target
      from settled l, jsonb_each(l.value->'choices') as chosen(group_id, options),
        jsonb_array_elements_text(chosen.options) as option
      where l.value->>'kind' = 'attributes' and option <> ${NONE}),
    drawn as (select image_id, target, mask, area from settled where target <> '' and mask is not null),
    found as (
      select target, s.*, mask, coalesce(area, 0) as area,
        count(*) over (partition by target, class_name)::float / class_size as often
      from (select * from marked full join drawn using (image_id, target)) f join shown s on s.id = f.image_id),
    sized as (
      select *, max(often) over (partition by target) as most_often,
        percent_rank() over (partition by target, class_name, mask is null order by area, id) as size_rank
      from found),
    likely as (
      select *, row_number() over (
        partition by target, class_name order by mask is null, abs(size_rank - 0.5), id) as in_class
      from sized),
    ranked as (
      select *, row_number() over (partition by target order by mask is null, in_class, often desc, id) as place
      from likely where often >= most_often / 2)
    select target, id as image_id, class_name, width, height, blob, mask
    from ranked where place <= ${EXAMPLES_PER_TARGET} order by target, place`);
  const examples = new Map<string, GuideExample[]>();
  for (const { target, image_id, class_name, blob, ...size } of result.rows) {
    const example = { imageId: image_id, className: class_name, url: signBlobUrl(blob), ...size };
    examples.set(target, [...(examples.get(target) ?? []), example]);
  }
  return examples;
}
