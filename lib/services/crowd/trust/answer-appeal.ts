import { and, eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { actorId } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { type Actor, authoriseThrough } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { tryHoldMembership } from '../hold-membership';
import { applyDecision } from './apply-decision';
import { crowdStage } from './crowd-stage';
import { reinstate } from './reinstate';

const { appeals, decisions, standings } = tables;

export interface AppealAnswer {
  appealId: string;
  outcome: 'granted' | 'upheld';
  /** Shown to the worker. */
  reply: string;
}

/**
 * A curator answers an appeal, once. One that is granted lets the worker go on, with a fresh start, and what was asked
 * again because of the decision counts again where nobody else has taken it up.
 */
export async function answerAppeal(
  db: Database,
  actor: Actor,
  { appealId, outcome, reply }: AppealAnswer,
): Promise<void> {
  if (reply.trim() === '') throw invalid('Write a reply: the worker is shown it.');
  const [found] = await db
    .select({ projectId: appeals.projectId })
    .from(appeals)
    .where(eq(appeals.id, appealId));
  await authoriseThrough(db, actor, 'crowd.manage', { what: 'appeal', projectId: found?.projectId });
  await db.transaction(async (tx) => {
    const [appeal] = await tx.select().from(appeals).where(eq(appeals.id, appealId)).for('no key update');
    if (!appeal) throw notFound('appeal');
    if (appeal.outcome) throw conflict('This appeal is answered already.', { outcome: appeal.outcome });
    await tx
      .update(appeals)
      .set({ outcome, reply: reply.trim(), answeredBy: actorId(actor), answeredAt: sql`now()` })
      .where(eq(appeals.id, appealId));
    if (outcome === 'granted') await letGoOn(tx, actor, appeal, reply.trim());
    await record(tx, {
      actor,
      verb: `appeal.${outcome}`,
      subject: 'appeal',
      subjectId: appealId,
      projectId: appeal.projectId,
    });
  });
}

/** Nothing changes where the worker stands as they do for another reason. After a hint only its evidence is dropped. */
async function letGoOn(
  tx: Parameters<typeof applyDecision>[0],
  actor: Actor,
  appeal: typeof appeals.$inferSelect,
  reason: string,
): Promise<void> {
  const [decision] = await tx
    .select({ stageId: decisions.stageId, target: decisions.target, verdict: decisions.verdict })
    .from(decisions)
    .where(eq(decisions.id, appeal.decisionId));
  if (!decision?.stageId) throw new Error('An appeal is about a decision.');
  const { projectId, workerId } = appeal;
  // Before the standing is read: whoever decides about the worker at this moment waits, or was first and is seen.
  await tryHoldMembership(tx, { projectId, workerId });
  const [standing] = await tx
    .select({
      state: standings.state,
      decisionId: standings.decisionId,
      pausedTargets: standings.pausedTargets,
    })
    .from(standings)
    .where(and(eq(standings.stageId, decision.stageId), eq(standings.workerId, workerId)));
  const { target } = decision;
  const isStopped = standing !== undefined && standing.state !== 'active';
  if (target === null && isStopped && standing.decisionId !== appeal.decisionId) return;
  if (target !== null && decision.verdict === 'pause' && !standing?.pausedTargets.includes(target)) return;
  const stage = await crowdStage(tx, actor, 'crowd.manage', decision.stageId);
  await reinstate(tx, {
    ...stage,
    workerId,
    decisionId: appeal.decisionId,
    appealId: appeal.id,
    decidedBy: actorId(actor),
  });
  await applyDecision(tx, {
    projectId,
    stageId: decision.stageId,
    workerId,
    verdict: 'resume',
    target,
    reason,
    rule: null,
    evidence: [appeal.decisionId, appeal.id],
    decidedBy: actorId(actor),
  });
}
