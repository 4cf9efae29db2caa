import { and, eq, sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type Actor, actorId } from '@/lib/services/access';
import { withdrawFollowing } from '@/lib/services/crowd/trust/ask-again';
import { checkAnswer } from '@/lib/services/crowd/work/check-answer';
import { followForms } from '@/lib/services/crowd/work/follow-forms';
import { followObjects } from '@/lib/services/crowd/work/follow-objects';
import { numberNewObjects } from '@/lib/services/crowd/work/number-objects';
import { removeFalsePositive } from '@/lib/services/crowd/work/remove-false-positive';
import { countedAnswers } from './counted-answers';
import { type LockedLabel, markReviewed } from './lock-label';

const { images, labels, schemaVersions, decisions, items } = tables;

/**
 * Puts a curator's label in the place of another. The mask is drawn anew from the shapes, as for every answer; what
 * follows from attributes is asked and what no longer follows is not, and what cannot be drawn is no longer claimed.
 * Gives the id of the new label.
 */
export async function correctLabel(
  tx: Transaction,
  actor: Actor,
  held: LockedLabel,
  value: AnswerValue,
): Promise<string> {
  const { label, item, stageKind } = held;
  const { target } = item;
  const drawn = checkAnswer({ stageKind, target, ...(await questionOf(tx, held)) }, value);
  const id = newId();
  const denied =
    stageKind === 'part-mask' && value.kind === 'nothing' ? await removeFalsePositive(tx, item, []) : null;
  const isOutline = stageKind === 'object-mask';
  const outline = { itemId: item.id, imageId: item.imageId, value: drawn.value };
  const objects = (await numberNewObjects(tx, isOutline ? [outline] : [])).get(item.id);
  await tx.update(labels).set({ isCurrent: false }).where(eq(labels.id, label.id));
  // There is something after all. A form that was changed since speaks for itself.
  if (value.kind !== 'nothing') await restoreForm(tx, label);
  const made = {
    id,
    projectId: label.projectId,
    itemId: item.id,
    imageId: item.imageId,
    target,
    ...drawn,
    source: 'correction' as const,
    provenance: {
      method: 'curator',
      labels: [label.id],
      answers: label.provenance.answers ?? [],
      by: actorId(actor),
      ...(denied && { falsePositive: { attribute: item.target, label: denied } }),
      ...(objects && { objects }),
    },
    confidence: 1,
  };
  const [row] = await tx.insert(labels).values(made).returning();
  await markReviewed(tx, held, true);
  if (row) await markReviewed(tx, { ...held, label: row }, true);
  if (value.kind === 'attributes')
    await followForms(tx, { projectId: label.projectId, formIds: [item.id], by: 'curator' });
  if (isOutline) await followObjects(tx, { projectId: label.projectId, itemIds: [item.id], by: 'curator' });
  return id;
}

async function questionOf(tx: Transaction, { item }: LockedLabel) {
  const [found] = await tx
    .select({
      schema: schemaVersions.document,
      className: images.className,
      width: images.width,
      height: images.height,
    })
    .from(images)
    .innerJoin(schemaVersions, eq(schemaVersions.id, item.schemaVersionId))
    .where(eq(images.id, item.imageId));
  if (!found) throw new Error('An item has an image and a schema.');
  return found;
}

/** Above ordinary work, so that a rejected label does not wait for the end of the stage. */
const PRIORITY = 10;

/**
 * The label is no longer current, the answers behind it do not count any more, and the item is open for others. The
 * authors are told why by the decision about their answer, and stay paid.
 */
export async function reopenItem(
  tx: Transaction,
  actor: Actor,
  { label, item }: LockedLabel,
  { reason, decisionId }: { reason: string; decisionId: string },
): Promise<void> {
  const given = await countedAnswers(tx, [item.id]);
  await tx.update(labels).set({ isCurrent: false }).where(eq(labels.id, label.id));
  await restoreForm(tx, label);
  if (given.length > 0) {
    await tx.insert(decisions).values(
      given.map((answer) => ({
        projectId: label.projectId,
        subject: 'answer' as const,
        subjectId: answer.id,
        stageId: item.stageId,
        verdict: 'set-aside',
        reason,
        evidence: [decisionId],
        decidedBy: actorId(actor),
      })),
    );
  }
  await tx
    .update(items)
    .set({
      state: 'open',
      answered: sql`greatest(0, ${items.answered} - ${given.length})`,
      // A label that came from elsewhere has no answers behind it, and its item may want none.
      overlap: sql`greatest(${items.overlap}, greatest(0, ${items.answered} - ${given.length}) + 1)`,
      priority: sql`greatest(${items.priority}, ${PRIORITY})`,
    })
    .where(eq(items.id, item.id));
  await withdrawFollowing(tx, [item.id]);
}

type Label = Pick<typeof labels.$inferSelect, 'provenance'>;

/**
 * A part of which somebody said "nothing to label" took its attribute from the form of the picture. When that no
 * longer holds, the form says again what it said. Gives false where the form was changed since, and nothing was done.
 */
export async function restoreForm(tx: Transaction, { provenance }: Label): Promise<boolean> {
  const formId = (provenance.falsePositive as { label?: string } | undefined)?.label;
  if (!formId) return true;
  const [form] = await tx.select().from(labels).where(eq(labels.id, formId));
  if (!form) return true;
  const ended = await tx
    .update(labels)
    .set({ isCurrent: false })
    .where(
      and(
        eq(labels.itemId, form.itemId),
        eq(labels.isCurrent, true),
        sql`${labels.provenance}->>'method' = 'nothing-to-label' and ${labels.provenance}->'labels' ? ${formId}`,
      ),
    )
    .returning({ id: labels.id });
  if (ended.length === 0) return false;
  await tx.update(labels).set({ isCurrent: true }).where(eq(labels.id, formId));
  return true;
}
