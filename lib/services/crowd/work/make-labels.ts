import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { Policy } from '@/lib/core/quality/policy';
import { rateSoon } from '@/lib/services/jobs/enqueue';
import { promoteUnanimous } from '../gold/rotate-gold';
import { followForms } from './follow-forms';
import { followObjects } from './follow-objects';
import type { Outcome } from './join-answers';
import type { Item } from './lock';
import { numberNewObjects } from './number-objects';
import { removeFalsePositive } from './remove-false-positive';

const { labels } = tables;

export type NewLabel = Outcome & { item: Item };

/** Writes the labels of settled items; the questions that follow from them appear at once. */
export async function makeLabels(
  tx: Transaction,
  list: readonly NewLabel[],
  stageKind: StageKind,
  policy: Policy,
): Promise<void> {
  if (list.length === 0) return;
  const denied = new Map<string, string>();
  for (const { item, value, answers } of list) {
    if (stageKind !== 'part-mask' || value.kind !== 'nothing') continue;
    const label = await removeFalsePositive(tx, item, answers);
    if (label) denied.set(item.id, label);
  }
  const ids = list.map(({ item }) => item.id);
  const outlines = stageKind === 'object-mask' ? list : [];
  const objects = await numberNewObjects(
    tx,
    outlines.map(({ item, value }) => ({ itemId: item.id, imageId: item.imageId, value })),
  );
  await tx.execute(sql`
    update ${labels} set is_current = false where is_current and item_id = any (${sql.param(ids)}::uuid[])`);
  await tx.insert(labels).values(
    list.map(({ item, value, mask, area, source, provenance, confidence }) => {
      const label = denied.get(item.id);
      const numbers = objects.get(item.id);
      return {
        projectId: item.projectId,
        itemId: item.id,
        imageId: item.imageId,
        target: item.target,
        value,
        mask,
        area,
        source,
        provenance: {
          ...provenance,
          ...(label && { falsePositive: { attribute: item.target, label } }),
          ...(numbers && { objects: numbers }),
        },
        confidence,
      };
    }),
  );
  await rateNew(tx, list);
  const forms = list.filter(({ value }) => value.kind === 'attributes').map(({ item }) => item);
  const [form] = forms;
  // All of one stage, and so of one project.
  if (form)
    await followForms(tx, {
      projectId: form.projectId,
      formIds: forms.map(({ id }) => id),
      by: 'crowd',
    });
  const [outline] = outlines;
  if (outline) await followObjects(tx, { projectId: outline.item.projectId, itemIds: ids, by: 'crowd' });
  if (policy.gold.promotesUnanimous) await promoteUnanimous(tx, list);
}

/** The audit queue learns of new labels by itself. */
async function rateNew(tx: Transaction, list: readonly NewLabel[]): Promise<void> {
  for (const projectId of new Set(list.map(({ item }) => item.projectId))) await rateSoon(tx, { projectId });
}
