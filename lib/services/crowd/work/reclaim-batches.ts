import { and, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { Policy } from '@/lib/core/quality/policy';
import { closeBatches } from './close-batches';

const { batches, stages } = tables;

/** Batches reclaimed by one taker: enough to keep up with a crowd that leaves, little enough to stay quick. */
const RECLAIMED_AT_ONCE = 10;

/**
 * Ends batches whose time is over, the oldest first, unless somebody is at them at this moment. Nobody waits for
 * the items of an exam or of practice: whoever lost their connection there has another day. Gives how many there were.
 */
export async function reclaimBatches(
  tx: Transaction,
  stage: Pick<typeof stages.$inferSelect, 'id' | 'kind'>,
  policy: Policy,
): Promise<number> {
  const expired = await tx
    .select()
    .from(batches)
    .where(
      and(
        eq(batches.stageId, stage.id),
        sql`state = 'leased' and leased_until < now()
          and (kind = 'work' or leased_until < now() - interval '1 day')`,
      ),
    )
    .orderBy(batches.leasedUntil)
    .limit(RECLAIMED_AT_ONCE)
    .for('no key update', { skipLocked: true });
  if (expired.length > 0)
    await closeBatches(tx, { batches: expired, state: 'expired', stageKind: stage.kind, policy });
  return expired.length;
}
