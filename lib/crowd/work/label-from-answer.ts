import { and, eq } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { AnswerValue } from '@/lib/quality/answer';
import { removeFalsePositive } from './remove-false-positive';
import { spawnItems } from './spawn-items';

const { items, labels, stages } = tables;

/** Ours: what one answer is worth before anything is known about whoever gave it. */
const ONE_ANSWER = 0.9;

interface Accepted {
  answerId: string;
  value: AnswerValue;
  mask: string | null;
  area: number | null;
}

/** The only answer that an item wanted becomes its label, and the questions that follow from it appear at once. */
export async function labelFromAnswer(
  tx: Transaction,
  item: typeof items.$inferSelect,
  { answerId, value, mask, area }: Accepted,
): Promise<void> {
  const [stage] = await tx.select({ kind: stages.kind }).from(stages).where(eq(stages.id, item.stageId));
  const denied =
    stage?.kind === 'part-mask' && value.kind === 'nothing'
      ? await removeFalsePositive(tx, item, answerId)
      : null;
  await tx
    .update(labels)
    .set({ isCurrent: false })
    .where(and(eq(labels.itemId, item.id), eq(labels.isCurrent, true)));
  await tx.insert(labels).values({
    projectId: item.projectId,
    itemId: item.id,
    imageId: item.imageId,
    target: item.target,
    value,
    mask,
    area,
    source: 'answer',
    provenance: {
      answers: [answerId],
      method: 'single-answer',
      ...(denied && { falsePositive: { attribute: item.target, label: denied } }),
    },
    confidence: ONE_ANSWER,
  });
  if (value.kind === 'attributes') await spawnItems(tx, item, value.choices);
}
