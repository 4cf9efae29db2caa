import { type Transaction, tables } from '@/db';
import type { HeldBatch } from './hold-batch';
import { payFor } from './pay-for';
import { promisedFor } from './price';

/** The batch is closed and paid: an answer that comes after that is paid by itself. */
export async function payLateAnswer(
  tx: Transaction,
  { batch, policy, stageKind }: HeldBatch,
  answerId: string,
): Promise<void> {
  const price = promisedFor(batch, policy);
  await tx.insert(tables.ledger).values({
    projectId: batch.projectId,
    workerId: batch.workerId,
    kind: 'item',
    sourceId: answerId,
    amountMicro: payFor(price, { stageKind, kind: batch.kind, answered: 1, size: 1 }),
    currency: price.pay.currency,
    note: 'Came after the batch was closed',
  });
}
