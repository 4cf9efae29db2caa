import { and, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { withdrawFollowing } from '../trust/ask-again';

const { items, labels } = tables;

/**
 * Gold that is excluded is not to be trusted, and neither is the label that was made from it: it is no longer current,
 * and people are asked. What people made of the question themselves stays. The items are held.
 */
export async function takeGoldOutOfUse(
  tx: Transaction,
  { goldId, itemId, isAsked }: { goldId: string; itemId: string; isAsked: boolean },
): Promise<void> {
  const own = await tx
    .update(labels)
    .set({ isCurrent: false })
    .where(and(eq(labels.itemId, itemId), eq(labels.isCurrent, true), isFrom(goldId)))
    .returning({ id: labels.id });
  if (own.length > 0) await withdrawFollowing(tx, [itemId]);
  if (!isAsked) return;
  // Either nobody knows it any more, or it only waited for its gold to be decided about.
  const isFree = sql`(${own.length > 0} or (${items.state} = 'withdrawn' and ${items.answered} = 0))`;
  await tx
    .update(items)
    .set({ state: 'open', overlap: sql`greatest(${items.overlap}, ${items.answered} + 1)` })
    .where(and(eq(items.id, itemId), isFree));
}

/** Of a label: made from this gold item. */
export const isFrom = (goldId: string) =>
  sql`${labels.provenance}->>'method' = 'gold' and ${labels.provenance}->>'gold' = ${goldId}`;
