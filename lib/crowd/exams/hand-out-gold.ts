import { sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { Policy } from '@/lib/quality/policy';
import { noteChecks } from '../checks/hide-checks';
import type { Chosen } from '../gold/choose-gold';
import { priceIn } from '../work/price';

const { batches, leases } = tables;

export interface GoldBatch {
  projectId: string;
  stageId: string;
  workerId: string;
  kind: 'exam' | 'practice';
  policy: Policy;
  chosen: readonly Chosen[];
}

/** A batch of gold only. Its items are not counted as leased: nobody waits for their answers. */
export async function handOutGold(tx: Transaction, { chosen, policy, ...batch }: GoldBatch) {
  const [made] = await tx
    .insert(batches)
    .values({
      ...batch,
      pay: { ...priceIn(policy) },
      leasedUntil: sql`now() + make_interval(mins => ${policy.leaseMinutes}::int)`,
    })
    .returning({ id: batches.id, leasedUntil: batches.leasedUntil, kind: batches.kind });
  if (!made) throw new Error('A batch was inserted.');
  const shuffled = [...chosen].sort((a, b) => (a.itemId.slice(-12) < b.itemId.slice(-12) ? -1 : 1));
  const handed = await tx
    .insert(leases)
    .values(
      shuffled.map(({ itemId }, position) => ({
        id: newId(),
        batchId: made.id,
        itemId,
        workerId: batch.workerId,
        position,
      })),
    )
    .onConflictDoUpdate({
      target: [leases.itemId, leases.workerId],
      set: { batchId: sql`excluded.batch_id`, position: sql`excluded.position`, state: 'open' },
    })
    .returning({ id: leases.id, item_id: leases.itemId });
  await noteChecks(tx, batch.workerId, chosen, handed);
  return made;
}
