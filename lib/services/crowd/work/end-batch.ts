import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import type { PayReviewReason } from '@/db/schema';
import { conflict } from '@/lib/core/errors';
import type { UserActor } from '@/lib/services/access';
import { closeBatches } from './close-batches';
import { closedCode, closedText, holdBatch } from './lock';

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
async function endBatch(
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

/**
 * The worker does not want this batch: its open items go to others and never come to this worker again. Items
 * that were finished before stay finished, and paid.
 */
export const returnBatch = (db: Database, actor: UserActor, input: { batchId: string }) =>
  endBatch(db, actor, input.batchId, 'returned');

/**
 * The worker is done with the batch, or stops early: they are paid for the items that they finished, and the
 * others go back to the pool, from where they may come to this worker again.
 */
export const submitBatch = (db: Database, actor: UserActor, input: { batchId: string }) =>
  endBatch(db, actor, input.batchId, 'submitted');

/** The worker is still there: their lease goes on, also one that ran out and that nobody reclaimed. */
export async function heartbeat(
  db: Database,
  actor: UserActor,
  input: { batchId: string },
): Promise<{ leasedUntil: Date }> {
  return db.transaction(async (tx) => {
    const { batch, policy } = await holdBatch(tx, actor, input);
    if (batch.state !== 'leased')
      throw conflict(closedText[batch.state], {
        state: batch.state,
        code: closedCode[batch.state],
      });
    const renewed = await renewLease(tx, eq(tables.batches.id, batch.id), policy.leaseMinutes);
    return { leasedUntil: renewed?.leasedUntil ?? batch.leasedUntil };
  });
}

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
