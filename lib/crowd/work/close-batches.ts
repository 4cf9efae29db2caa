import { sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { Policy } from '@/lib/quality/policy';
import { payFor } from './pay-for';

const { batches, checks, items, leases, ledger } = tables;

type Batch = Pick<typeof batches.$inferSelect, 'id' | 'projectId' | 'workerId' | 'kind'>;

export interface Closing {
  /** Batches of one stage that the transaction has locked. */
  batches: readonly Batch[];
  state: 'submitted' | 'expired' | 'returned';
  stageKind: StageKind;
  policy: Policy;
}

/** Ends batches: what is not answered goes back to the pool, what is answered is paid, once. */
export async function closeBatches(tx: Transaction, closing: Closing): Promise<void> {
  const ids = closing.batches.map((batch) => batch.id);
  await releaseLeases(tx, sql`l.batch_id = any(${sql.param(ids)}::uuid[])`);
  await pay(tx, closing);
  await tx.execute(sql`
    update ${batches} set state = ${closing.state},
      submitted_at = case when ${closing.state} = 'submitted' then now() end
    where id = any(${sql.param(ids)}::uuid[])`);
}

/** Gives open leases back. Exams and hidden checks were never counted in their items. */
export async function releaseLeases(tx: Transaction, which: ReturnType<typeof sql>): Promise<void> {
  const released = await tx.execute<{ item_id: string }>(sql`
    with freed as (
      update ${leases} l set state = 'released' where l.state = 'open' and ${which}
      returning l.id, l.item_id, l.batch_id
    )
    select f.item_id from freed f join ${batches} b on b.id = f.batch_id
    where b.kind = 'work' and not exists (select 1 from ${checks} c where c.lease_id = f.id)`);
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

async function pay(tx: Transaction, { batches: list, stageKind, policy }: Closing): Promise<void> {
  const counts = await tx.execute<{ batch_id: string; answered: number; size: number }>(sql`
    select batch_id, count(*) filter (where state = 'answered')::int as answered, count(*)::int as size
    from ${leases} where batch_id = any(${sql.param(list.map((batch) => batch.id))}::uuid[]) group by batch_id`);
  const due = list.flatMap(({ id, projectId, workerId, kind }) => {
    const count = counts.rows.find((row) => row.batch_id === id);
    if (!count || count.answered === 0 || kind === 'practice') return [];
    const amountMicro = payFor(policy, { stageKind, kind, ...count });
    const entry = kind === 'exam' ? ('exam' as const) : ('batch' as const);
    return [
      {
        id: newId(),
        projectId,
        workerId,
        kind: entry,
        sourceId: id,
        amountMicro,
        currency: policy.pay.currency,
      },
    ];
  });
  if (due.length > 0) await tx.insert(ledger).values(due);
}
