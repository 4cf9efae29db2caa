import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { area, decodeCounts, type Mask } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { matchInstances } from '@/lib/core/quality/instances';

const { images, items, labels, stages } = tables;

export interface NumberedObject {
  mask: Mask;
  number: number;
}

/** Masks with a smaller IoU are different objects. */
const SAME_OBJECT = 0.5;

/**
 * Numbers the objects of an outline label. An object keeps its number while it is recognizable, so that its parts stay
 * with it; numbers of objects that disappeared are not used again. New objects are numbered from the largest. One
 * object is always number 1, the main object.
 */
export function numberObjects(
  next: readonly Mask[],
  previous: readonly NumberedObject[],
  taken: readonly number[],
): number[] {
  const numbers = new Map<Mask, number>();
  const used = new Set<number>();
  const pairs = matchInstances(
    previous.map(({ mask }) => mask),
    next,
  );
  for (const { a, b, score } of pairs) {
    const { number } = previous[a] as NumberedObject;
    if (score < SAME_OBJECT || used.has(number)) continue;
    numbers.set(next[b] as Mask, number);
    used.add(number);
  }
  const bySize = [...next].sort((a, b) => area(b) - area(a));
  const unknown = bySize.filter((mask) => !numbers.has(mask));
  const main = used.has(1) ? undefined : (unknown[0] ?? bySize[0]);
  if (main) numbers.set(main, 1);
  let last = Math.max(1, ...taken, ...previous.map(({ number }) => number));
  for (const mask of unknown) if (mask !== main) numbers.set(mask, ++last);
  return next.map((mask) => numbers.get(mask) ?? 1);
}

/** A new label of an object outline. */
interface NewOutline {
  itemId: string;
  imageId: string;
  value: AnswerValue;
}

/**
 * Numbers the objects in new labels of outlines, for `provenance.objects`, in the order of `value.instances`. Labels of
 * one object have none. Call it before the labels take the place of the current ones; the items are locked.
 */
export async function numberNewObjects(
  tx: Transaction,
  made: readonly NewOutline[],
): Promise<Map<string, number[]>> {
  const several = made.flatMap(({ itemId, imageId, value }) =>
    value.kind === 'mask' && value.instances ? [{ itemId, imageId, instances: value.instances }] : [],
  );
  const itemIds = several.map(({ itemId }) => itemId);
  const known = await outlinesOf(tx, itemIds, 'latest');
  const used = await usedNumbers(tx, several);
  return new Map(
    several.flatMap(({ itemId, instances }) => {
      const found = known.get(itemId);
      if (!found) return [];
      const { height, width, taken } = found;
      const masks = instances.map((counts) => decodeCounts(counts, height, width));
      return [[itemId, numberObjects(masks, objectsOf(found), [...taken, ...(used.get(itemId) ?? [])])]];
    }),
  );
}

/** Numbers in all labels that the items ever had: the parts of a removed object must not become those of another. */
async function usedNumbers(
  tx: Transaction,
  list: readonly { itemId: string; imageId: string }[],
): Promise<Map<string, number[]>> {
  if (list.length === 0) return new Map();
  // Labels that are not current are found by their image.
  const found = await tx.execute<{ itemId: string; numbers: number[] }>(sql`
    select l.item_id as "itemId", array_agg(distinct n::int) as numbers
    from ${labels} l cross join lateral jsonb_array_elements_text(l.provenance->'objects') n
    where l.image_id = any (${sql.param(list.map(({ imageId }) => imageId))}::uuid[])
      and l.item_id = any (${sql.param(list.map(({ itemId }) => itemId))}::uuid[])
      and jsonb_typeof(l.provenance->'objects') = 'array'
    group by l.item_id`);
  return new Map(found.rows.map(({ itemId, numbers }) => [itemId, numbers]));
}

export type OutlineRow = {
  itemId: string;
  imageId: string;
  className: string | null;
  height: number;
  width: number;
  priority: number;
  mask: string | null;
  instances: string[] | null;
  objects: number[] | null;
  isLabelled: boolean;
  taken: number[];
};

/** The main-object items among some items of object stages, with their current or their latest labels. */
export async function outlinesOf(
  tx: Transaction,
  itemIds: readonly string[],
  which: 'current' | 'latest' = 'current',
): Promise<Map<string, OutlineRow>> {
  if (itemIds.length === 0) return new Map();
  const found = await tx.execute<OutlineRow>(sql`
    select i.id as "itemId", i.image_id as "imageId", image.class_name as "className", image.height, image.width,
      i.priority, l.mask, l.value->'instances' as instances, l.provenance->'objects' as objects,
      l.id is not null as "isLabelled",
      -- Numbers of objects that came from elsewhere with an outline of their own.
      array(select substring(other.target from '#([0-9]+):')::int from ${items} other
        join ${stages} os on os.id = other.stage_id and os.kind = 'object-mask'
        where other.image_id = i.image_id and other.target ~ '^#[0-9]{1,3}:') as taken
    from ${items} i
    join ${stages} s on s.id = i.stage_id and s.kind = 'object-mask'
    join ${images} image on image.id = i.image_id
    left join lateral (
      select l.id, l.mask, l.value, l.provenance from ${labels} l
      where l.image_id = i.image_id and l.item_id = i.id and (l.is_current or ${which === 'latest'})
      order by l.is_current desc, l.id desc limit 1) l on true
    where i.id = any (${sql.param(itemIds)}::uuid[]) and i.target = ''
    order by i.id`);
  return new Map(found.rows.map((row) => [row.itemId, row]));
}

/** The objects in a label, each with its number. */
export function objectsOf({ mask, instances, objects, height, width }: OutlineRow): NumberedObject[] {
  const counts = instances ?? (mask === null ? [] : [mask]);
  return counts.map((one, i) => ({ mask: decodeCounts(one, height, width), number: objects?.[i] ?? i + 1 }));
}
