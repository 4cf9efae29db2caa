import { and, eq } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { closeBatches } from './work/close-batches';
import { effectivePolicy } from './work/effective-policy';

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
  for (const { batch, stageKind, stagePolicy, projectPolicy } of open) {
    const policy = effectivePolicy(projectPolicy, stagePolicy);
    await closeBatches(tx, { batches: [batch], state, stageKind, policy });
  }
  return open.length;
}
