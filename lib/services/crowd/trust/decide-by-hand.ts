import { and, eq } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { actorId } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import type { Actor } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { tryHoldMembership } from '../hold-membership';
import { closeBatches } from '../work/close-batches';
import { applyDecision, type WorkerVerdict } from './apply-decision';
import { askAgainIn, holdDoubted } from './ask-again';
import { crowdStage } from './rules-in-force';

const { batches, standings } = tables;

export interface HandDecision {
  workerId: string;
  stageId: string;
  verdict: WorkerVerdict;
  /** A part to pause or resume alone; left out for the whole stage. */
  target?: string | null;
  /** Shown to the worker. */
  reason: string;
  /** Whether others are asked what the worker did since the last good check. */
  askAgain: boolean;
}

/** A curator decides about a worker in a stage. Whoever is stopped keeps what is finished of their open batch. */
export async function decideByHand(
  db: Database,
  actor: Actor,
  { workerId, stageId, verdict, target = null, reason, askAgain }: HandDecision,
): Promise<{ decisionId: string; askedAgain: number }> {
  if (reason.trim() === '') throw invalid('Give the reason: the worker is shown it.');
  const stage = await crowdStage(db, actor, 'crowd.manage', stageId);
  return db.transaction(async (tx) => {
    if (!(await tryHoldMembership(tx, { projectId: stage.projectId, workerId }))) throw notFound('worker');
    await refuseIdle(tx, { stageId, workerId, verdict, target });
    const about = { projectId: stage.projectId, stageId, workerId };
    const isStop = target === null && (verdict === 'pause' || verdict === 'end');
    const open = isStop ? await holdOpen(tx, about) : [];
    if (askAgain) await holdDoubted(tx, about, open);
    if (open.length > 0) await closeBatches(tx, { ...stage, batches: open, state: 'expired' });
    const decidedBy = actorId(actor);
    const decisionId = await applyDecision(tx, {
      ...about,
      verdict,
      target,
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
      detail: { stageId, decisionId, ...(target !== null && { target }) },
    });
    return { decisionId, askedAgain: asked.answers };
  });
}

async function refuseIdle(
  tx: Transaction,
  { stageId, workerId, verdict, target }: Pick<HandDecision, 'stageId' | 'workerId' | 'verdict' | 'target'>,
): Promise<void> {
  const [standing] = await tx
    .select({ state: standings.state, pausedTargets: standings.pausedTargets })
    .from(standings)
    .where(and(eq(standings.stageId, stageId), eq(standings.workerId, workerId)));
  if (target) return refuseIdleTarget(verdict, target, standing?.pausedTargets ?? []);
  const state = standing?.state ?? 'active';
  if (verdict === 'resume' && state === 'active')
    throw conflict('The worker is at work: there is nothing to resume.');
  if (verdict === 'pause' && state === 'paused') throw conflict('The worker is paused already.');
  if (verdict === 'end' && state === 'ended') throw conflict('The work of this worker has ended already.');
}

function refuseIdleTarget(verdict: WorkerVerdict, target: string, paused: readonly string[]): void {
  if (verdict !== 'pause' && verdict !== 'resume')
    throw invalid('A single part can only be paused or resumed.');
  const isPaused = paused.includes(target);
  if (verdict === 'pause' && isPaused) throw conflict(`The worker is already paused for "${target}".`);
  if (verdict === 'resume' && !isPaused) throw conflict(`The worker is not paused for "${target}".`);
}

const holdOpen = (tx: Transaction, { stageId, workerId }: Pick<HandDecision, 'stageId' | 'workerId'>) =>
  tx
    .select()
    .from(batches)
    .where(and(eq(batches.stageId, stageId), eq(batches.workerId, workerId), eq(batches.state, 'leased')))
    .for('no key update');
