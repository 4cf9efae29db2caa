import { and, eq, ne } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { applyDecision } from './apply-decision';

const { leases, standings } = tables;

/** Somebody who has done all of their refresher is led back to work; for everybody else nothing changes. */
export async function finishRefresher(
  tx: Transaction,
  batch: { id: string; projectId: string; stageId: string; workerId: string },
): Promise<void> {
  const [open] = await tx
    .select({ id: leases.id })
    .from(leases)
    .where(and(eq(leases.batchId, batch.id), ne(leases.state, 'answered')))
    .limit(1);
  if (!open) await endRefresher(tx, batch);
}

/** Leads somebody back to work from a refresher, done or impossible. */
export async function endRefresher(
  tx: Transaction,
  { projectId, stageId, workerId }: { projectId: string; stageId: string; workerId: string },
): Promise<void> {
  const [standing] = await tx
    .select({ decisionId: standings.decisionId })
    .from(standings)
    .where(
      and(eq(standings.stageId, stageId), eq(standings.workerId, workerId), eq(standings.state, 'refresher')),
    );
  if (!standing) return;
  await applyDecision(tx, {
    projectId,
    stageId,
    workerId,
    verdict: 'resume',
    reason: 'The refresher is done: the work goes on, and you start afresh.',
    rule: { id: 'refresher', version: 1 },
    evidence: standing.decisionId ? [standing.decisionId] : [],
    decidedBy: null,
  });
}
