import { type SQL, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';

const { batches } = tables;

/** Gives a batch its full time again, never less than it has. */
export async function renewLease(tx: Transaction, which: SQL | undefined, minutes: number) {
  const [batch] = await tx
    .update(batches)
    .set({
      leasedUntil: sql`greatest(${batches.leasedUntil}, now() + make_interval(mins => ${minutes}::int))`,
    })
    .where(which)
    .returning({ id: batches.id, leasedUntil: batches.leasedUntil, kind: batches.kind });
  return batch;
}
