import { type SQL, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';

const { checks, items, leases } = tables;

/** Gives open leases `l` back. Exams and hidden checks were never counted in their items. */
export async function releaseLeases(tx: Transaction, which: SQL): Promise<void> {
  const released = await tx.execute<{ item_id: string }>(sql`
    with freed as (
      update ${leases} l set state = 'released' where l.state = 'open' and ${which} returning l.id, l.item_id
    )
    select f.item_id from freed f where not exists (select 1 from ${checks} c where c.lease_id = f.id)`);
  const given = released.rows.map((row) => row.item_id);
  if (given.length === 0) return;
  await tx.execute(sql`
    with held as (
      select id from ${items} where id = any(${sql.param(given)}::uuid[]) order by id for no key update
    ), given as (
      select id, count(*)::int as times from unnest(${sql.param(given)}::uuid[]) as g(id) group by id
    )
    update ${items} i set leased = i.leased - given.times from held join given using (id) where i.id = held.id`);
}
