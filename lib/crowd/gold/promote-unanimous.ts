import { type Transaction, tables } from '@/db';
import type { NewLabel } from '../work/make-labels';

/** People who must have said the same: two may err alike. */
const FEWEST = 3;

/** Items on which everybody agreed become candidates for gold; none is used before a curator confirms it. */
export async function promoteUnanimous(tx: Transaction, labels: readonly NewLabel[]): Promise<void> {
  const agreed = labels.filter(({ isUnanimous, answers }) => isUnanimous && answers.length >= FEWEST);
  if (agreed.length === 0) return;
  await tx
    .insert(tables.gold)
    .values(
      agreed.map(({ item, value, mask }) => ({
        projectId: item.projectId,
        itemId: item.id,
        value,
        mask,
        state: 'candidate' as const,
      })),
    )
    .onConflictDoNothing();
}
