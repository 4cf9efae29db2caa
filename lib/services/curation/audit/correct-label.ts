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
 * Replaces a label by a curator's label and returns the id of the new one. The mask is recomputed from the shapes, as for
 * every answer. Items that depend on attributes are opened or withdrawn accordingly. An attribute with nothing to draw
 * is removed from the form.
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
  // The part exists after all: restore its attribute, unless the form has changed since.
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

/** Higher than ordinary work, so that a rejected label is not left until the end of the stage. */
const PRIORITY = 10;

/**
 * Reopens an item for other workers: its label is no longer current, and the answers behind it no longer count. Their
 * authors remain paid and see the reason in the decision about their answer.
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
      // An imported label has no answers, and its item may have an overlap of 0.
      overlap: sql`greatest(${items.overlap}, greatest(0, ${items.answered} - ${given.length}) + 1)`,
      priority: sql`greatest(${items.priority}, ${PRIORITY})`,
    })
    .where(eq(items.id, item.id));
  await withdrawFollowing(tx, [item.id]);
}

type Label = Pick<typeof labels.$inferSelect, 'provenance'>;

/**
 * Restores the form of an image after a correction. The answer "nothing to label" for a part removes its attribute from
 * the form; this reverses it. Returns false, without a change, if the form has been modified since.
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
