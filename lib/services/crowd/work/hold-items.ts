import { type SQL, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { withFollowing } from './hold-with-following';

const { answers, checks, items, leases, reservations, stages } = tables;

export type Item = typeof items.$inferSelect;

/**
 * Locks, in the order of ids, every item that ending the leases `l` of `which` may change: their own, what may follow
 * from those that are forms, the attribute items of images on which somebody found nothing to draw, and the items
 * reserved for their batches.
 */
export async function holdItems(tx: Transaction, which: SQL): Promise<Map<string, Item>> {
  const own = sql`
    select l.item_id from ${leases} l
    where ${which} and not exists (select 1 from ${checks} c where c.lease_id = l.id)`;
  const reserved = sql`
    select r.item_id from ${reservations} r where r.batch_id in (select l.batch_id from ${leases} l where ${which})`;
  const denied = sql`
    select cause.id from ${items} i
    join ${answers} a on a.item_id = i.id and a.value->>'kind' = 'nothing'
    join ${items} cause on cause.image_id = i.image_id
    join ${stages} s on s.id = cause.stage_id and s.kind = 'attributes'
    where i.id in (${own}) and i.target <> ''`;
  const locked = await tx
    .select()
    .from(items)
    .where(sql`${items.id} = any (array(${withFollowing(own)} union ${denied} union ${reserved}))`)
    .orderBy(items.id)
    .for('no key update');
  return new Map(locked.map((item) => [item.id, item]));
}
