import { eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { conflict } from '@/lib/core/errors';
import type { UserActor } from '@/lib/services/access';
import { closedCode, closedText, holdBatch } from './hold-batch';
import { renewLease } from './renew-lease';

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
