import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { GoldPool } from '@/db/schema';
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
        pool: poolOf(item),
      })),
    )
    .onConflictDoNothing();
}

/** All gold of an image in a stage is in one pool: practice on one target shows the others beside it. */
const poolOf = ({ stageId, imageId }: NewLabel['item']) => sql<GoldPool>`coalesce((
  select g.pool from ${tables.gold} g join ${tables.items} i on i.id = g.item_id
  where i.stage_id = ${stageId} and i.image_id = ${imageId} order by g.id limit 1), 'check')`;
