import { and, eq } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { record } from '@/lib/audit';
import type { Actor } from '@/lib/auth';
import { actorId } from '@/lib/auth/actor';
import { conflict, invalid, notFound } from '@/lib/errors';
import { tryHoldMembership } from '../hold-membership';
import { closeBatches } from '../work/close-batches';
import { applyDecision, type WorkerVerdict } from './apply-decision';
import { askAgainIn, holdDoubted } from './ask-again';
import { crowdStage } from './crowd-stage';

const { batches, standings } = tables;

export interface HandDecision {
  workerId: string;
  stageId: string;
  verdict: WorkerVerdict;
  /** Shown to the worker. */
  reason: string;
  /** Whether others are asked what the worker did since the last good check. */
  askAgain: boolean;
}

/** A curator decides about a worker in a stage. Whoever is stopped keeps what is finished of their open batch. */
export async function decideByHand(
  db: Database,
  actor: Actor,
  { workerId, stageId, verdict, reason, askAgain }: HandDecision,
): Promise<{ decisionId: string; askedAgain: number }> {
  if (reason.trim() === '') throw invalid('Give the reason: the worker is shown it.');
  const stage = await crowdStage(db, actor, 'crowd.manage', stageId);
  return db.transaction(async (tx) => {
    if (!(await tryHoldMembership(tx, { projectId: stage.projectId, workerId }))) throw notFound('worker');
    await refuseIdle(tx, { stageId, workerId, verdict });
    const about = { projectId: stage.projectId, stageId, workerId };
    const open = verdict === 'pause' || verdict === 'end' ? await holdOpen(tx, about) : [];
    if (askAgain) await holdDoubted(tx, about, open);
    if (open.length > 0) await closeBatches(tx, { ...stage, batches: open, state: 'expired' });
    const decidedBy = actorId(actor);
    const decisionId = await applyDecision(tx, {
      ...about,
      verdict,
      reason: reason.trim(),
      rule: null,
      evidence: [],
      decidedBy,
    });
    const asked = askAgain ? await askAgainIn(tx, actor, about) : { answers: 0 };
    await record(tx, {
      actor,
      verb: `worker.${verdict}`,
      subject: 'user',
      subjectId: workerId,
      projectId: stage.projectId,
      detail: { stageId, decisionId },
    });
    return { decisionId, askedAgain: asked.answers };
  });
}

async function refuseIdle(
  tx: Transaction,
  { stageId, workerId, verdict }: Pick<HandDecision, 'stageId' | 'workerId' | 'verdict'>,
): Promise<void> {
  const [standing] = await tx
    .select({ state: standings.state })
    .from(standings)
    .where(and(eq(standings.stageId, stageId), eq(standings.workerId, workerId)));
  const state = standing?.state ?? 'active';
  if (verdict === 'resume' && state === 'active')
    throw conflict('The worker is at work: there is nothing to resume.');
  if (verdict === 'pause' && state === 'paused') throw conflict('The worker is paused already.');
  if (verdict === 'end' && state === 'ended') throw conflict('The work of this worker has ended already.');
}

const holdOpen = (tx: Transaction, { stageId, workerId }: Pick<HandDecision, 'stageId' | 'workerId'>) =>
  tx
    .select()
    .from(batches)
    .where(and(eq(batches.stageId, stageId), eq(batches.workerId, workerId), eq(batches.state, 'leased')))
    .for('no key update');
