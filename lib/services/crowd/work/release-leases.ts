import { type SQL, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';

const { drafts, items, leases, reservations } = tables;

/**
 * Gives open leases `l` back. Extra leases were never counted in their items. Drafts stay for the case that the item
 * comes back to the worker, but are not done any more.
 */
export async function releaseLeases(tx: Transaction, which: SQL): Promise<void> {
  const released = await tx.execute<{ item_id: string }>(sql`
    with freed as (
      update ${leases} l set state = 'released' where l.state = 'open' and ${which}
      returning l.id, l.item_id, l.is_extra
    ), reopened as (
      update ${drafts} d set answer = null, done_at = null from freed where d.lease_id = freed.id and d.done_at is not null
    )
    select item_id from freed where not is_extra`);
  await uncount(
    tx,
    released.rows.map((row) => row.item_id),
  );
}

/**
 * Releases an open lease that was reported as broken. Its item stays reserved until the batch ends, as the twin of a
 * check does. Otherwise an ordinary item would be available to others immediately and a check would not.
 */
export async function releaseReported(tx: Transaction, leaseId: string): Promise<void> {
  await tx.execute(sql`
    with freed as (
      update ${leases} l set state = 'released' where l.id = ${leaseId} and l.state = 'open'
      returning l.id, l.item_id, l.batch_id, l.is_extra
    ), reopened as (
      update ${drafts} d set answer = null, done_at = null from freed where d.lease_id = freed.id and d.done_at is not null
    )
    insert into ${reservations} (batch_id, item_id) select batch_id, item_id from freed where not is_extra`);
}

/** Ends the reservations of closed batches: twins of gold images and reported items are free again. */
export async function releaseReservations(tx: Transaction, batchIds: readonly string[]): Promise<void> {
  const ended = await tx.execute<{ item_id: string }>(sql`
    delete from ${reservations} where batch_id = any (${sql.param(batchIds)}::uuid[]) returning item_id`);
  await uncount(
    tx,
    ended.rows.map((row) => row.item_id),
  );
}

async function uncount(tx: Transaction, given: readonly string[]): Promise<void> {
  if (given.length === 0) return;
  await tx.execute(sql`
    with held as (
      select id from ${items} where id = any(${sql.param(given)}::uuid[]) order by id for no key update
    ), given as (
      select id, count(*)::int as times from unnest(${sql.param(given)}::uuid[]) as g(id) group by id
    )
    update ${items} i set leased = i.leased - given.times from held join given using (id) where i.id = held.id`);
}
