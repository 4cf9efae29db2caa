import { eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { type Actor, actorId } from '@/lib/services/access';
import { withdrawFollowing } from '@/lib/services/crowd/trust/ask-again';
import { countedAnswers } from './counted-answers';
import type { HeldLabel } from './hold-label';
import { restoreForm } from './restore-form';

const { decisions, items, labels } = tables;

/** Above ordinary work, so that a rejected label does not wait for the end of the stage. */
const PRIORITY = 10;

/**
 * The label is no longer current, the answers behind it do not count any more, and the item is open for others. The
 * authors are told why by the decision about their answer, and stay paid.
 */
export async function reopenItem(
  tx: Transaction,
  actor: Actor,
  { label, item }: HeldLabel,
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
