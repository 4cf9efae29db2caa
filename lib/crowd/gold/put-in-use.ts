import { and, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { area, decodeCounts } from '@/lib/mask';
import { AnswerValue } from '@/lib/quality/answer';
import { type Cause, spawnItems } from '../work/spawn-items';

const { gold, images, items, labels } = tables;

/**
 * What is known about an item is its label, if nobody made one, and nobody needs to be asked any more. Who is at
 * it just now is paid as for any question that closes before the answer comes.
 */
export async function putGoldInUse(tx: Transaction, goldId: string): Promise<void> {
  const [found] = await tx
    .select({ gold, item: items, width: images.width, height: images.height })
    .from(gold)
    .innerJoin(items, eq(items.id, gold.itemId))
    .innerJoin(images, eq(images.id, items.imageId))
    .where(eq(gold.id, goldId))
    .for('no key update', { of: items });
  if (!found) throw new Error('Gold has an item and an image.');
  const { item, height, width } = found;
  if (item.state !== 'settled') await tx.update(items).set({ state: 'settled' }).where(eq(items.id, item.id));
  const { value, mask } = found.gold;
  const [current] = await tx
    .select({
      id: labels.id,
      provenance: labels.provenance,
      isSame: sql<boolean>`${labels.value} = ${JSON.stringify(value)}::jsonb
        and ${labels.mask} is not distinct from ${mask}::text`,
    })
    .from(labels)
    .where(and(eq(labels.itemId, item.id), eq(labels.isCurrent, true)));
  if (current) {
    // What people made stands. What this gold said before it was rewritten does not.
    const isOwn = current.provenance.method === 'gold' && current.provenance.gold === goldId;
    if (!isOwn || current.isSame) return;
    await tx.update(labels).set({ isCurrent: false }).where(eq(labels.id, current.id));
  }
  await tx.insert(labels).values({
    projectId: item.projectId,
    itemId: item.id,
    imageId: item.imageId,
    target: item.target,
    value,
    mask,
    area: mask === null ? null : area(decodeCounts(mask, height, width)),
    source: 'correction',
    provenance: { method: 'gold', gold: goldId },
    confidence: 1,
  });
  const known = AnswerValue.safeParse(value).data;
  const causes: Cause[] = known?.kind === 'attributes' ? [{ item, choices: known.choices }] : [];
  await spawnItems(tx, causes);
}
