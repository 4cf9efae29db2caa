import { and, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { closeBatches } from './work/close-batches';
import { effectivePolicy } from './work/effective-policy';
import { claimLateLeases, settleLateAnswers } from './work/late-answers';
import { holdItems } from './work/lock';
import { answerDoneDrafts } from './work/save-draft';

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
  const places = await tx
    .select({ id: stages.id, kind: stages.kind, policy: stages.policy, projectPolicy: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(eq(stages.projectId, projectId))
    .orderBy(stages.position);
  const late = new Map<string, string[]>();
  for (const { id } of places) late.set(id, await claimLateLeases(tx, { stageId: id }, null));
  const batchIds = running.map(({ id }) => id);
  const lateIds = [...late.values()].flat();
  if (batchIds.length === 0 && lateIds.length === 0) return;
  // Before the items are locked: which ones depends on what was answered.
  await answerDoneDrafts(tx, sql`l.batch_id = any (${sql.param(batchIds)}::uuid[])`);
  // Of all stages at once: stage by stage would be out of the order of ids.
  await holdItems(
    tx,
    sql`(l.batch_id = any (${sql.param(batchIds)}::uuid[]) or l.id = any (${sql.param(lateIds)}::uuid[]))`,
  );
  // Unanswered items would count as missed, although the worker did not end the exam: it is no attempt.
  await tx.execute(sql`
    delete from ${exams} e where e.finished_at is null
      and e.batch_id = any (${sql.param(batchIds)}::uuid[])
      and exists (select 1 from ${leases} l where l.batch_id = e.batch_id and l.state = 'open')`);
  for (const stage of places) {
    const list = running.filter((batch) => batch.stageId === stage.id);
    const policy = effectivePolicy(stage.projectPolicy, stage.policy);
    const scope = { stageId: stage.id, stageKind: stage.kind, policy };
    await settleLateAnswers(tx, scope, late.get(stage.id) ?? []);
    if (list.length > 0)
      await closeBatches(tx, { batches: list, state: 'expired', stageKind: stage.kind, policy });
  }
}

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
