import { and, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { closeBatches } from './work/close-batches';
import { effectivePolicy } from './work/effective-policy';
import { holdItems } from './work/hold-items';

const { batches, exams, leases, projects, stages } = tables;

/**
 * Ends every batch of a project that somebody is at: finished items are judged by the questions as they were asked,
 * kept and paid, the others go back. The caller holds the project, so that no batch is taken meanwhile.
 */
export async function endRunningBatches(tx: Transaction, projectId: string): Promise<void> {
  const running = await tx
    .select()
    .from(batches)
    .where(and(eq(batches.projectId, projectId), eq(batches.state, 'leased')))
    .orderBy(batches.id)
    .for('no key update');
  if (running.length === 0) return;
  // Of all stages, for stage by stage would be out of the order of ids.
  await holdItems(tx, sql`l.batch_id = any (${sql.param(running.map(({ id }) => id))}::uuid[])`);
  // What an exam left unanswered would count as missed, and it was not the worker who ended it: it was no attempt.
  await tx.execute(sql`
    delete from ${exams} e where e.finished_at is null
      and e.batch_id = any (${sql.param(running.map(({ id }) => id))}::uuid[])
      and exists (select 1 from ${leases} l where l.batch_id = e.batch_id and l.state = 'open')`);
  const places = await tx
    .select({ id: stages.id, kind: stages.kind, policy: stages.policy, projectPolicy: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(eq(stages.projectId, projectId))
    .orderBy(stages.position);
  for (const stage of places) {
    const list = running.filter((batch) => batch.stageId === stage.id);
    if (list.length === 0) continue;
    const policy = effectivePolicy(stage.projectPolicy, stage.policy);
    await closeBatches(tx, { batches: list, state: 'expired', stageKind: stage.kind, policy });
  }
}
