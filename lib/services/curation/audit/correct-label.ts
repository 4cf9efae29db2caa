import { eq } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type Actor, actorId } from '@/lib/services/access';
import { checkAnswer } from '@/lib/services/crowd/work/check-answer';
import { followForms } from '@/lib/services/crowd/work/follow-forms';
import { removeFalsePositive } from '@/lib/services/crowd/work/remove-false-positive';
import { type HeldLabel, markReviewed } from './hold-label';
import { restoreForm } from './restore-form';

const { images, labels, schemaVersions } = tables;

/**
 * Puts a curator's label in the place of another. The mask is drawn anew from the shapes, as for every answer; what
 * follows from attributes is asked and what no longer follows is not, and what cannot be drawn is no longer claimed.
 * Gives the id of the new label.
 */
export async function correctLabel(
  tx: Transaction,
  actor: Actor,
  held: HeldLabel,
  value: AnswerValue,
): Promise<string> {
  const { label, item, stageKind } = held;
  const drawn = checkAnswer({ stageKind, ...(await questionOf(tx, held)) }, value);
  const id = newId();
  const denied =
    stageKind === 'part-mask' && value.kind === 'nothing' ? await removeFalsePositive(tx, item, []) : null;
  await tx.update(labels).set({ isCurrent: false }).where(eq(labels.id, label.id));
  // There is something after all. A form that was changed since speaks for itself.
  if (value.kind !== 'nothing') await restoreForm(tx, label);
  const made = {
    id,
    projectId: label.projectId,
    itemId: item.id,
    imageId: item.imageId,
    target: item.target,
    value,
    ...drawn,
    source: 'correction' as const,
    provenance: {
      method: 'curator',
      labels: [label.id],
      answers: label.provenance.answers ?? [],
      by: actorId(actor),
      ...(denied && { falsePositive: { attribute: item.target, label: denied } }),
    },
    confidence: 1,
  };
  const [row] = await tx.insert(labels).values(made).returning();
  await markReviewed(tx, held, true);
  if (row) await markReviewed(tx, { ...held, label: row }, true);
  if (value.kind === 'attributes')
    await followForms(tx, { projectId: label.projectId, formIds: [item.id], by: 'curator' });
  return id;
}

async function questionOf(tx: Transaction, { item }: HeldLabel) {
  const [found] = await tx
    .select({ schema: schemaVersions.document, width: images.width, height: images.height })
    .from(images)
    .innerJoin(schemaVersions, eq(schemaVersions.id, item.schemaVersionId))
    .where(eq(images.id, item.imageId));
  if (!found) throw new Error('An item has an image and a schema.');
  return found;
}
