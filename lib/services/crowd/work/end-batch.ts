import { and, eq, inArray } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import type { PayReviewReason } from '@/db/schema';
import type { UserActor } from '@/lib/services/access';
import { closeBatches } from './close-batches';
import { holdBatch } from './hold-batch';

const { batches, ledger, payReviews } = tables;

export interface ClosedBatch {
  id: string;
  state: 'submitted' | 'expired' | 'returned';
  /** What the batch brought, in millionths; null when nothing was finished. */
  pay: { amountMicro: bigint; currency: string } | null;
  /** Why the pay waits for a curator; null if it does not. */
  review: PayReviewReason | null;
}

/**
 * Ends the worker's own batch and pays what is finished, in one transaction. Of a batch that is closed
 * already, in whatever way, it tells what came of it.
 */
export async function endBatch(
  db: Database,
  actor: UserActor,
  batchId: string,
  state: 'submitted' | 'returned',
): Promise<ClosedBatch> {
  return db.transaction(async (tx) => {
    const { batch, ...setting } = await holdBatch(tx, actor, { batchId });
    if (batch.state === 'leased') await closeBatches(tx, { batches: [batch], state, ...setting });
    return outcomeOf(tx, batchId);
  });
}

async function outcomeOf(tx: Transaction, batchId: string): Promise<ClosedBatch> {
  const [row] = await tx
    .select({
      state: batches.state,
      amountMicro: ledger.amountMicro,
      currency: ledger.currency,
      review: payReviews.reason,
    })
    .from(batches)
    .leftJoin(payReviews, and(eq(payReviews.batchId, batches.id), eq(payReviews.state, 'open')))
    .leftJoin(ledger, and(eq(ledger.sourceId, batches.id), inArray(ledger.kind, ['batch', 'exam'])))
    .where(eq(batches.id, batchId));
  if (!row || row.state === 'leased') throw new Error('A batch that was just closed is closed.');
  const { state, amountMicro, currency } = row;
  const pay = amountMicro !== null && currency !== null ? { amountMicro, currency } : null;
  return { id: batchId, state, pay, review: row.review };
}
