import { sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { Closing } from './close-batches';
import { payFor } from './pay-for';
import { promisedFor } from './price';

const { leases, ledger } = tables;

/** Pays what is finished of batches. An exam that was decided before its end is paid as a whole one. */
export async function payBatches(
  tx: Transaction,
  { batches: list, stageKind, policy, decided }: Closing & { decided: ReadonlySet<string> },
): Promise<void> {
  const ids = list.map((batch) => batch.id);
  const counts = await tx.execute<{ batch_id: string; answered: number; size: number }>(sql`
    select batch_id, count(*) filter (where state = 'answered')::int as answered, count(*)::int as size
    from ${leases} where batch_id = any(${sql.param(ids)}::uuid[]) group by batch_id`);
  const due = list.flatMap((batch) => {
    const { id, projectId, workerId, kind } = batch;
    const count = counts.rows.find((row) => row.batch_id === id);
    if (!count || count.answered === 0 || kind === 'practice') return [];
    const answered = decided.has(id) ? count.size : count.answered;
    const price = promisedFor(batch, policy);
    const amountMicro = payFor(price, { stageKind, kind, answered, size: count.size });
    const entry = kind === 'exam' ? ('exam' as const) : ('batch' as const);
    const currency = price.pay.currency;
    return [{ id: newId(), projectId, workerId, kind: entry, sourceId: id, amountMicro, currency }];
  });
  if (due.length > 0) await tx.insert(ledger).values(due);
}
