import { and, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { answerDoneDrafts } from './work/answer-done-drafts';
import { closeBatches } from './work/close-batches';
import { effectivePolicy } from './work/effective-policy';
import { holdItems } from './work/hold-items';

const { batches, projects, stages } = tables;

/**
 * Ends the open batches of a worker in a project: finished items stay and are paid, the others go to somebody else.
 * The caller holds the worker's membership, so that no batch is taken meanwhile. Returns how many there were.
 */
export async function releaseBatches(
  tx: Transaction,
  { projectId, workerId }: { projectId: string; workerId: string },
  state: 'submitted' | 'expired' | 'returned',
): Promise<number> {
  const open = await tx
    .select({
      batch: batches,
      stageKind: stages.kind,
      stagePolicy: stages.policy,
      projectPolicy: projects.policy,
    })
    .from(batches)
    .innerJoin(stages, eq(stages.id, batches.stageId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .where(and(eq(batches.projectId, projectId), eq(batches.workerId, workerId), eq(batches.state, 'leased')))
    .orderBy(batches.id)
    .for('no key update', { of: batches });
  // One batch after the other would lock the items of the second after those of the first, out of the order of ids.
  if (open.length > 1) {
    const ofBatches = sql`l.batch_id = any (${sql.param(open.map(({ batch }) => batch.id))}::uuid[])`;
    await answerDoneDrafts(tx, ofBatches);
    await holdItems(tx, ofBatches);
  }
  for (const { batch, stageKind, stagePolicy, projectPolicy } of open) {
    const policy = effectivePolicy(projectPolicy, stagePolicy);
    await closeBatches(tx, { batches: [batch], state, stageKind, policy });
  }
  return open.length;
}
