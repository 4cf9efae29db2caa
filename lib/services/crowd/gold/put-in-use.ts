import { and, desc, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { area, decodeCounts } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { followForms } from '../work/follow-forms';
import { followObjects } from '../work/follow-objects';
import { holdWithFollowing } from '../work/lock';
import { numberNewObjects } from '../work/number-objects';
import { isFrom } from './decide-about-gold';

const { gold, images, items, labels, projects } = tables;

/**
 * What is known about an item is its label, if nobody made one, and nobody needs to be asked any more. Who is at
 * it just now is paid as for any question that closes before the answer comes. It is shown in the words of the newest
 * schema, among items that are: in older ones it would stand out.
 */
export async function putGoldInUse(tx: Transaction, goldId: string): Promise<void> {
  const found = await hold(tx, goldId);
  const { item, schemaVersionId } = found;
  await tx
    .update(items)
    .set({ state: 'settled', ...(item.leased === 0 && schemaVersionId && { schemaVersionId }) })
    .where(eq(items.id, item.id));
  if (!(await makeLabel(tx, found))) return;
  if (found.gold.value.kind === 'attributes')
    await followForms(tx, { projectId: item.projectId, formIds: [item.id], by: 'curator' });
  await followObjects(tx, { projectId: item.projectId, itemIds: [item.id], by: 'curator' });
}

type Found = Awaited<ReturnType<typeof hold>>;

async function hold(tx: Transaction, goldId: string) {
  const [known] = await tx.select({ itemId: gold.itemId }).from(gold).where(eq(gold.id, goldId));
  if (known) await holdWithFollowing(tx, [known.itemId]);
  const [found] = await tx
    .select({
      gold,
      item: items,
      width: images.width,
      height: images.height,
      schemaVersionId: projects.schemaVersionId,
    })
    .from(gold)
    .innerJoin(items, eq(items.id, gold.itemId))
    .innerJoin(images, eq(images.id, items.imageId))
    .innerJoin(projects, eq(projects.id, items.projectId))
    .where(eq(gold.id, goldId));
  if (!found) throw new Error('Gold has an item and an image.');
  return found;
}

/** Whether another label is current now. */
async function makeLabel(tx: Transaction, { gold: known, item, height, width }: Found): Promise<boolean> {
  const { id: goldId, value, mask } = known;
  const isSame = sql<boolean>`(${labels.value} = ${JSON.stringify(value)}::jsonb
    and ${labels.mask} is not distinct from ${mask}::text)`;
  const outline = { itemId: item.id, imageId: item.imageId, value: value as AnswerValue };
  const objects = (await numberNewObjects(tx, [outline])).get(item.id);
  const [current] = await tx
    .select({ id: labels.id, isOwn: sql<boolean>`coalesce(${isFrom(goldId)}, false)`, isSame })
    .from(labels)
    .where(and(eq(labels.itemId, item.id), eq(labels.isCurrent, true)));
  if (current) {
    // What people made stands. What this gold said before it was rewritten does not.
    if (!current.isOwn || current.isSame) return false;
    await tx.update(labels).set({ isCurrent: false }).where(eq(labels.id, current.id));
  }
  // One that was excluded and is restored says what it said.
  const [before] = await tx
    .select({ id: labels.id })
    .from(labels)
    // Labels that are not current are found by their image.
    .where(and(eq(labels.imageId, item.imageId), eq(labels.itemId, item.id), isFrom(goldId), isSame))
    .orderBy(desc(labels.id))
    .limit(1);
  if (before) {
    await tx.update(labels).set({ isCurrent: true }).where(eq(labels.id, before.id));
    return true;
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
    provenance: { method: 'gold', gold: goldId, ...(objects && { objects }) },
    confidence: 1,
  });
  return true;
}

/**
 * A change of the schema found that a gold item says too little, and nobody has written it anew since: it would judge
 * people by something that its author was never asked.
 */
export async function isIncomplete(tx: Transaction, goldId: string): Promise<boolean> {
  const found = await tx.execute<{ isIncomplete: boolean }>(sql`
    select verdict = 'candidate' as "isIncomplete" from ${tables.decisions}
    where subject = 'gold' and subject_id = ${goldId}
      and (verdict in ('written', 'rewritten') or (verdict = 'candidate' and rule = 'schema-change'))
    order by id desc limit 1`);
  return found.rows[0]?.isIncomplete ?? false;
}
