import { type SQL, sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';

const { answers, drafts, leases } = tables;

/**
 * Turns the drafts that workers marked as done into the answers of their open leases `l`. Runs whenever a batch ends,
 * also when its time ran out: work that was acknowledged as done is never lost. The statements are the same for gold
 * and for ordinary items.
 */
export async function answerDoneDrafts(tx: Transaction, which: SQL): Promise<void> {
  // Locked by a statement of its own: the next one then sees drafts that were being stored meanwhile.
  const open = await tx.execute<{ id: string }>(sql`
    select l.id from ${leases} l where l.state = 'open' and ${which} order by l.id for no key update`);
  const ids = open.rows.map(({ id }) => ({ lease: id, answer: newId() }));
  if (ids.length === 0) return;
  await tx.execute(sql`
    with done as (
      delete from ${drafts} d using jsonb_to_recordset(${JSON.stringify(ids)}::jsonb) as own(lease uuid, answer uuid)
      where d.lease_id = own.lease and d.done_at is not null
      returning own.answer as id, d.lease_id, d.answer, d.active_ms, d.done_at
    ), given as (
      update ${leases} l set state = 'answered' from done where l.id = done.lease_id
      returning l.id, l.item_id, l.worker_id
    )
    insert into ${answers} (id, lease_id, item_id, worker_id, value, mask, area, active_ms, interaction, repeats_code,
      created_at)
    select done.id, given.id, given.item_id, given.worker_id, done.answer->'value', done.answer->>'mask',
      (done.answer->>'area')::int, done.active_ms, nullif(done.answer->'interaction', 'null'::jsonb),
      (done.answer->>'repeatsCode')::boolean, done.done_at
    from done join given on given.id = done.lease_id`);
}
