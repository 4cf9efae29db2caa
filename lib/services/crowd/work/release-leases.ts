import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import type { messageKinds } from '@/db/schema';
import { conflict } from '@/lib/core/errors';
import type { UserActor } from '@/lib/services/access';
import { holdBatch } from './lock';

const { drafts, items, leases, reservations, messages } = tables;

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
async function releaseReported(tx: Transaction, leaseId: string): Promise<void> {
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

export interface Report {
  leaseId: string;
  /** Made by the client: the same id is the same message. */
  messageId: string;
  kind: (typeof messageKinds)[number];
  text: string;
}

/** Stores a message about an item for the curator. A broken image is taken from the worker without a penalty. */
export async function reportItem(
  db: Database,
  actor: UserActor,
  { leaseId, messageId, kind, text }: Report,
): Promise<{ messageId: string; leaseState: 'open' | 'answered' | 'released' }> {
  return db.transaction(async (tx) => {
    const { batch } = await holdBatch(tx, actor, { leaseId });
    const [made] = await tx
      .insert(messages)
      .values({ id: messageId, projectId: batch.projectId, leaseId, authorId: actor.userId, kind, text })
      .onConflictDoNothing()
      .returning({ id: messages.id });
    if (!made) await requireSame(tx, actor, leaseId, messageId);
    else if (kind === 'broken-image') await releaseReported(tx, leaseId);
    const [lease] = await tx.select({ state: leases.state }).from(leases).where(eq(leases.id, leaseId));
    const state = lease?.state ?? 'released';
    return { messageId, leaseState: state === 'late' ? 'answered' : state };
  });
}

async function requireSame(tx: Transaction, actor: UserActor, leaseId: string, messageId: string) {
  const own = and(
    eq(messages.id, messageId),
    eq(messages.leaseId, leaseId),
    eq(messages.authorId, actor.userId),
  );
  const [same] = await tx.select({ id: messages.id }).from(messages).where(own);
  if (!same) throw conflict('This message id is used for something else: make a new one.');
}
