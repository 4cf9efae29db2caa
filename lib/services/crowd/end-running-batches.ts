import { and, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { answerDoneDrafts } from './work/answer-done-drafts';
import { closeBatches } from './work/close-batches';
import { effectivePolicy } from './work/effective-policy';
import { holdItems } from './work/hold-items';
import { claimLateLeases, settleLateAnswers } from './work/late-answers';

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
