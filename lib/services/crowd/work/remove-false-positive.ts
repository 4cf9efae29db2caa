import { and, asc, eq } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { AnswerValue } from '@/lib/core/quality/answer';
import { NOTHING_TO_LABEL } from '@/lib/core/quality/attribution';
import { NONE } from '@/lib/core/schema';

const { decisions, items, labels, schemaVersions, stages } = tables;

/**
 * Removes an attribute from the form label of an image because there was nothing to draw. The old label stays in the
 * history, with the decision that ended it. Returns the id of that label, or null when no label claims the attribute.
 */
export async function removeFalsePositive(
  tx: Transaction,
  { imageId, projectId, target }: typeof items.$inferSelect,
  answerIds: readonly string[],
): Promise<string | null> {
  const label = await holdAttributeLabel(tx, imageId);
  const value = AnswerValue.safeParse(label?.value).data;
  if (!label || value?.kind !== 'attributes') return null;
  const group = label.schema.attributeGroups.find((entry) => value.choices[entry.id]?.includes(target));
  if (!group) return null;
  const left = (value.choices[group.id] ?? []).filter((id) => id !== target);
  const options = left.length === 0 && group.exclusiveNone ? [NONE] : left;
  await tx.update(labels).set({ isCurrent: false }).where(eq(labels.id, label.id));
  await tx.insert(labels).values({
    projectId,
    itemId: label.itemId,
    imageId,
    value: { kind: 'attributes', choices: { ...value.choices, [group.id]: options } },
    source: 'correction',
    // The form still rests on the answers that filled it in. Those who found nothing account for the removal only.
    provenance: {
      labels: [label.id],
      answers: label.provenance.answers ?? [],
      method: NOTHING_TO_LABEL,
      removed: [target],
      removedBy: answerIds,
    },
    confidence: label.confidence,
  });
  await tx.insert(decisions).values({
    projectId,
    subject: 'label',
    subjectId: label.id,
    verdict: 'false-positive',
    reason: `"${target}" was marked, but there was nothing to draw.`,
    rule: 'nothing-to-label',
    ruleVersion: 1,
    evidence: [...answerIds],
  });
  return label.id;
}

/** The item is locked first: two who find nothing on one image at once must each see what the other removed. */
async function holdAttributeLabel(tx: Transaction, imageId: string) {
  const asked = await tx
    .select({ id: items.id, schema: schemaVersions.document })
    .from(items)
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(schemaVersions, eq(schemaVersions.id, items.schemaVersionId))
    .where(and(eq(items.imageId, imageId), eq(stages.kind, 'attributes')))
    .orderBy(asc(items.id))
    .limit(1)
    .for('no key update', { of: items });
  const item = asked[0];
  if (!item) return null;
  const [label] = await tx
    .select()
    .from(labels)
    .where(and(eq(labels.itemId, item.id), eq(labels.isCurrent, true)));
  return label ? { ...label, schema: item.schema } : null;
}
