import { and, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { applyDecision } from './apply-decision';

const { batches, decisions, leases, standings } = tables;

/**
 * Returns a worker to work who has answered as many practice items as a round has, over all rounds since the refresher
 * began; changes nothing for others. Rounds that are left unfinished cannot be repeated for pay without end.
 */
export async function finishRefresher(
  tx: Transaction,
  batch: { id: string; projectId: string; stageId: string; workerId: string },
): Promise<void> {
  const found = await tx.execute<{ isFinished: boolean }>(sql`
    select count(*) filter (where l.state = 'answered') >= count(*) filter (where b.id = ${batch.id}) as "isFinished"
    from ${standings} s
    join ${decisions} d on d.id = s.decision_id
    join ${batches} b on b.stage_id = s.stage_id and b.worker_id = s.worker_id and b.kind = 'practice'
      and b.created_at >= d.created_at
    join ${leases} l on l.batch_id = b.id
    where s.stage_id = ${batch.stageId} and s.worker_id = ${batch.workerId} and s.state = 'refresher'`);
  if (found.rows[0]?.isFinished) await endRefresher(tx, batch);
}

/** Returns a worker from a refresher to work, also where there is no gold to practise on. */
export async function endRefresher(
  tx: Transaction,
  { projectId, stageId, workerId }: { projectId: string; stageId: string; workerId: string },
): Promise<void> {
  const [standing] = await tx
    .select({ decisionId: standings.decisionId, target: decisions.target })
    .from(standings)
    .leftJoin(decisions, eq(decisions.id, standings.decisionId))
    .where(
      and(eq(standings.stageId, stageId), eq(standings.workerId, workerId), eq(standings.state, 'refresher')),
    );
  if (!standing) return;
  await applyDecision(tx, {
    projectId,
    stageId,
    workerId,
    verdict: 'refreshed',
    target: standing.target,
    reason: 'You finished the practice items. Your work goes on.',
    rule: { id: 'refresher', version: 2 },
    evidence: standing.decisionId ? [standing.decisionId] : [],
    decidedBy: null,
  });
}
