import { type SQL, sql } from 'drizzle-orm';
import { newId, tables } from '@/db';
import type { Price } from './price';

const { batches, checks, images, items, leases, messages } = tables;

export interface HandingOut {
  projectId: string;
  stageId: string;
  workerId: string;
  /** Items in the batch, hidden checks included. */
  size: number;
  /** Items of gold that are hidden in the batch. */
  hidden: readonly string[];
  leaseMinutes: number;
  price: Price;
}

/**
 * The query that hands out work: picks free items, counts them as leased, and makes the batch and its leases;
 * no rows and no batch when nothing is free. Locked items are somebody else's at this moment and are passed by.
 *
 * A worker gets an item once, with one exception: a lease that ran out or was left open by an early submit,
 * without an answer. It comes back as the same lease, for nothing was judged yet and otherwise a small crowd
 * could never finish; its draft is still there. Items given back or reported as broken do not come again.
 *
 * Hidden checks get their leases in the same statement as the other items, and the place of an item in a batch
 * is drawn from its id and the worker's: it says nothing about the item, and what comes again keeps its order.
 *
 * The conditions are subqueries that give a truth value: each is one index probe per item looked at, never a
 * join, and the planner expects half of the items to pass. With the state outside it would expect one in 200
 * and, in a stage of a few thousand items, read and sort them all.
 */
export function handOutItems(handing: HandingOut): SQL {
  const { projectId, stageId, workerId, size, hidden, leaseMinutes, price } = handing;
  const leaseIds = Array.from({ length: size }, () => newId());
  const ordinary = size - hidden.length;
  return sql`
    with picked as materialized (
      select i.id from ${items} i
      where i.stage_id = ${stageId} and i.state = 'open' and i.leased + i.answered < i.overlap
        and (select image.state in ('active', 'derived') from ${images} image where image.id = i.image_id)
        and coalesce((${mayComeAgain(workerId)}), true)
      order by i.priority desc nulls last, i.id
      limit ${Math.max(ordinary, 1)}
      for no key update of i skip locked
    ), kept as (
      select id from picked limit ${ordinary}
    ), numbered as (
      select id, (row_number() over (order by md5(id::text || ${workerId}::text)))::int as n
      from (
        select id from kept
        union all
        select id from unnest(${sql.param(hidden)}::uuid[]) as known(id) where exists (select 1 from picked)
      ) as together
    ), counted as (
      update ${items} set leased = leased + 1 where id = any (array(select id from kept))
    ), batch as (
      insert into ${batches} (id, project_id, stage_id, worker_id, pay, leased_until)
      select ${newId()}::uuid, ${projectId}::uuid, ${stageId}::uuid, ${workerId}::uuid,
        ${JSON.stringify(price)}::jsonb, now() + make_interval(mins => ${leaseMinutes}::int)
      where exists (select 1 from numbered)
      returning id
    )
    insert into ${leases} (id, batch_id, item_id, worker_id, position)
    select (${sql.param(leaseIds)}::uuid[])[n], batch.id, numbered.id, ${workerId}::uuid, n - 1
    from numbered cross join batch order by n
    on conflict (item_id, worker_id)
      do update set batch_id = excluded.batch_id, position = excluded.position, state = 'open'
    returning id, batch_id, item_id`;
}

/** Null when the worker never had the item. An item that they met as a check is never ordinary work for them. */
const mayComeAgain = (workerId: string) => sql`
  select ${isLeftOver} and not exists (select 1 from ${checks} c where c.lease_id = l.id)
  from ${leases} l where l.item_id = i.id and l.worker_id = ${workerId}`;

/** Of a lease `l`: its time ran out or the batch was submitted early, and nothing is wrong with the picture. */
export const isLeftOver = sql`l.state = 'released'
    and (select b.state from ${batches} b where b.id = l.batch_id) in ('expired', 'submitted')
    and not exists (select 1 from ${messages} m where m.lease_id = l.id and m.kind = 'broken-image')`;
