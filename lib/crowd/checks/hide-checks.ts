import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { planChecks } from '@/lib/quality/check-rate';
import type { Policy } from '@/lib/quality/policy';
import { suspicionOf } from '@/lib/quality/sequential';
import { type Chosen, checksLeftOver, chooseGold } from '../gold/choose-gold';

const { batches, checks, gold, leases } = tables;

export interface Hiding {
  projectId: string;
  stageId: string;
  workerId: string;
  /** Evidence counts from here; null for ever. */
  since: Date | null;
  itemsDone: number;
  size: number;
  policy: Policy;
}

/** Which gold goes into the worker's next batch: as much as the schedule asks for, and what they left before. */
export async function chooseChecks(tx: Transaction, hiding: Hiding): Promise<Chosen[]> {
  const { policy, size, itemsDone } = hiding;
  if (policy.checkRate === 0) return [];
  const evidence = suspicionOf(await outcomes(tx, hiding));
  const planned = planChecks(policy, { itemsDone, evidence }, size, Math.random);
  const again = await checksLeftOver(tx, { ...hiding, atMost: Math.max(size - 1, 0) });
  const count = Math.max(0, planned - again.length);
  const fresh = await chooseGold(tx, { ...hiding, count, maxExposures: policy.gold.maxExposures });
  return [...again, ...fresh];
}

/** Of the hidden checks of the stage that count, the oldest first. */
async function outcomes(tx: Transaction, { stageId, workerId, since }: Hiding): Promise<boolean[]> {
  const found = await tx.execute<{ passed: boolean }>(sql`
    select c.passed from ${checks} c
    join ${leases} l on l.id = c.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind = 'work'
    where c.worker_id = ${workerId} and c.passed is not null
      and (${since}::timestamptz is null or c.scored_at >= ${since}::timestamptz)
    order by c.scored_at, c.id`);
  return found.rows.map((row) => row.passed);
}

/** Writes down which leases are checks, and that their gold was shown once more. */
export async function noteChecks(
  tx: Transaction,
  workerId: string,
  chosen: readonly Chosen[],
  handed: readonly { id: string; item_id: string }[],
): Promise<void> {
  const rows = chosen.flatMap(({ goldId, itemId }) => {
    const lease = handed.find((entry) => entry.item_id === itemId);
    return lease ? [{ leaseId: lease.id, goldId, workerId }] : [];
  });
  if (rows.length === 0) return;
  const made = await tx
    .insert(checks)
    .values(rows)
    .onConflictDoNothing({ target: checks.leaseId })
    .returning({ goldId: checks.goldId });
  const shown = made.map((row) => row.goldId);
  await tx.execute(sql`
    update ${gold} set exposures = exposures + 1 where id = any (${sql.param(shown)}::uuid[])`);
}
