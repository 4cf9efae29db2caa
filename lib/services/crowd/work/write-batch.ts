import { sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { PlacedImage } from '../checks/place-checks';
import type { Price } from './pay-for';

const { batches, checks, gold, items, leases, reservations } = tables;

export interface NewBatch {
  projectId: string;
  stageId: string;
  workerId: string;
  kind: (typeof batches.$inferInsert)['kind'];
  leaseMinutes: number;
  price: Price;
}

/** A lease as it is written. A lease that the worker had before keeps its id and its draft. */
interface LeaseRow {
  itemId: string;
  goldId: string | null;
  twinImageId: string | null;
  isExtra: boolean;
}

/**
 * Writes a batch of whole images: leases in one statement, places counted in the items, twins of gold images
 * reserved. The order of images is random; the targets of an image stay together.
 */
export async function writeWorkBatch(tx: Transaction, batch: NewBatch, placed: readonly PlacedImage[]) {
  const rows = shuffled(placed).flatMap(({ leases: own, twin }) =>
    own.map(({ itemId, goldId, isExtra }) => ({
      itemId,
      goldId,
      twinImageId: goldId && twin ? twin.imageId : null,
      isExtra,
    })),
  );
  const reserved = placed.flatMap(({ twin }) => twin?.open.map(({ itemId }) => itemId) ?? []);
  const made = await writeBatch(tx, batch, rows);
  if (reserved.length > 0)
    await tx.insert(reservations).values(reserved.map((itemId) => ({ batchId: made.id, itemId })));
  const counted = rows.filter(({ isExtra }) => !isExtra).map(({ itemId }) => itemId);
  await tx.execute(sql`
    update ${items} set leased = leased + 1 where id = any (${sql.param([...counted, ...reserved])}::uuid[])`);
  return made;
}

/** Writes a batch with its leases and, for gold, its checks; counts exposures. */
export async function writeBatch(tx: Transaction, batch: NewBatch, rows: readonly LeaseRow[]) {
  const { projectId, stageId, workerId, kind, leaseMinutes, price } = batch;
  const [made] = await tx
    .insert(batches)
    .values({
      projectId,
      stageId,
      workerId,
      kind,
      pay: { ...price },
      leasedUntil: sql`now() + make_interval(mins => ${leaseMinutes}::int)`,
    })
    .returning({ id: batches.id, leasedUntil: batches.leasedUntil, kind: batches.kind });
  if (!made) throw new Error('The inserted batch was not returned.');
  const handed = await tx
    .insert(leases)
    .values(
      rows.map(({ itemId, isExtra }, position) => ({
        id: newId(),
        batchId: made.id,
        itemId,
        workerId,
        position,
        isExtra,
      })),
    )
    .onConflictDoUpdate({
      target: [leases.itemId, leases.workerId],
      set: {
        batchId: sql`excluded.batch_id`,
        position: sql`excluded.position`,
        isExtra: sql`excluded.is_extra`,
        state: 'open',
      },
    })
    .returning({ id: leases.id, itemId: leases.itemId });
  await noteChecks(tx, workerId, rows, new Map(handed.map(({ id, itemId }) => [itemId, id])));
  return made;
}

/** Records which leases are checks, and that their gold was shown once more. */
async function noteChecks(
  tx: Transaction,
  workerId: string,
  rows: readonly LeaseRow[],
  leaseOf: ReadonlyMap<string, string>,
): Promise<void> {
  const found = rows.flatMap(({ itemId, goldId, twinImageId }) => {
    const leaseId = leaseOf.get(itemId);
    return goldId && leaseId ? [{ leaseId, goldId, workerId, twinImageId }] : [];
  });
  if (found.length === 0) return;
  const made = await tx
    .insert(checks)
    .values(found)
    .onConflictDoNothing({ target: checks.leaseId })
    .returning({ goldId: checks.goldId });
  await tx.execute(sql`
    update ${gold} set exposures = exposures + 1
    where id = any (${sql.param(made.map(({ goldId }) => goldId))}::uuid[])`);
}

/** Shuffles every batch, so that leases that come back carry no trace of their earlier position. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}
