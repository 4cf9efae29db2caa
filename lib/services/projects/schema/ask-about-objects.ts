import { sql } from 'drizzle-orm';
import { type Db, type Transaction, tables } from '@/db';
import { STUFF_NUMBER, stuffClasses, writeTarget } from '@/lib/core/schema';
import { followObjects } from '@/lib/services/crowd/work/follow-objects';
import { holdWithFollowing } from '@/lib/services/crowd/work/lock';
import type { SchemaStep } from './apply-schema-change';

const { items, labels, stages } = tables;

/** Images in one transaction: few enough that nobody waits long for one of them. */
const PAGE = 200;

/** Asks for the parts of further objects that the new schema added. Does nothing where it was done before. */
export async function askAboutObjects(db: Db, { projectId, next }: SchemaStep): Promise<void> {
  if (!next.classes.some(({ numbered }) => numbered)) return;
  for (let after: string | null = null; ; ) {
    const last = await db.transaction((tx) => askAboutSome(tx, projectId, after));
    if (last === null) return;
    after = last;
  }
}

async function askAboutSome(
  tx: Transaction,
  projectId: string,
  after: string | null,
): Promise<string | null> {
  const found = await tx.execute<{ itemId: string }>(sql`
    select i.id as "itemId" from ${items} i
    join ${stages} s on s.id = i.stage_id and s.kind = 'object-mask'
    join ${labels} l on l.item_id = i.id and l.is_current and l.value ? 'instances'
    where i.project_id = ${projectId} and (${after}::uuid is null or i.id > ${after}::uuid)
    order by i.id limit ${PAGE}`);
  const itemIds = found.rows.map(({ itemId }) => itemId);
  await holdWithFollowing(tx, itemIds);
  await followObjects(tx, { projectId, itemIds, by: 'crowd' });
  return itemIds.at(-1) ?? null;
}

/** Nobody is asked any more for regions of a stuff class that the new schema does not have. Their labels stay. */
export async function withdrawStuff(tx: Transaction, { projectId, old, next }: SchemaStep): Promise<void> {
  const kept = new Set(stuffClasses(next).map(({ id }) => id));
  const gone = stuffClasses(old).filter(({ id }) => !kept.has(id));
  if (gone.length === 0) return;
  const targets = gone.map(({ id }) => writeTarget({ id: '', instance: STUFF_NUMBER, className: id }));
  await tx.execute(sql`
    with held as (
      select i.id from ${items} i join ${stages} s on s.id = i.stage_id and s.kind = 'object-mask'
      where i.project_id = ${projectId} and i.state = 'open' and i.target = any (${sql.param(targets)}::text[])
      order by i.id for no key update of i
    )
    update ${items} i set state = 'withdrawn' from held where i.id = held.id`);
}
