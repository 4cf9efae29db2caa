import { type Transaction, tables } from '@/db';
import type { Item } from './hold-items';

/** Answers for which there was no place left. They are kept and paid, and the decision says why they do not count. */
export async function setAside(
  tx: Transaction,
  late: readonly { item: Item; answerId: string }[],
): Promise<void> {
  if (late.length === 0) return;
  await tx.insert(tables.decisions).values(
    late.map(({ item, answerId }) => {
      const why =
        item.state === 'open'
          ? 'The time for the item had run out and somebody else was given it.'
          : 'The question was closed before the answer came.';
      return {
        projectId: item.projectId,
        subject: 'answer' as const,
        subjectId: answerId,
        verdict: 'set-aside',
        reason: `${why} The answer is kept and paid, but the label is made without it.`,
        rule: 'late-answer',
        ruleVersion: 1,
        evidence: [item.id],
      };
    }),
  );
}
