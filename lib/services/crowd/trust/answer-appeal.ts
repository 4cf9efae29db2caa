import { and, eq, sql } from 'drizzle-orm';
import { type Database, newId, type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { actorId } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import type { Policy } from '@/lib/core/quality/policy';
import { type Actor, authoriseThrough, requireScope, type UserActor } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { tryHoldMembership } from '../hold-membership';
import { holdItems } from '../work/lock';
import { membershipOf } from '../work/own-work';
import { settleAnswers } from '../work/settle-answers';
import { applyDecision } from './apply-decision';
import { crowdStage } from './rules-in-force';

const { appeals, decisions, standings, answers, items, memberships } = tables;

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

/** A statement has 65,535 parameters at most. */
const ROWS_PER_INSERT = 1000;

interface Reinstating {
  projectId: string;
  stageId: string;
  stageKind: StageKind;
  policy: Policy;
  workerId: string;
  /** The decision that an appeal has overturned: what was asked again because of it came after it. */
  decisionId: string;
  /** The appeal, as the evidence. */
  appealId: string;
  decidedBy: string | null;
}

/**
 * Lets answers count again that were asked again because of a decision which did not stand. A question that somebody
 * else has answered or is at by now goes on without them: its answer stays set aside, as it stays paid. Gives the
 * number of answers that count again.
 */
async function reinstate(tx: Transaction, about: Reinstating): Promise<number> {
  const { projectId, stageId, stageKind, policy, appealId, decidedBy } = about;
  const before = await askedAgain(tx, about);
  if (before.length === 0) return 0;
  const held = await holdItems(tx, leasesIn(before));
  // Asked again: another appeal may have let the same answers count while we waited for their items.
  const aside = await askedAgain(tx, about);
  const back = aside.filter(({ itemId }) => {
    const item = held.get(itemId);
    return item?.state === 'open' && item.leased + item.answered < item.overlap;
  });
  if (back.length === 0) return 0;
  const rows = back.map(({ id }) => ({
    id: newId(),
    projectId,
    subject: 'answer' as const,
    subjectId: id,
    stageId,
    verdict: 'reinstated',
    reason: 'An appeal was granted: the answer counts again.',
    // By the same rule that set it aside: the worker hears of the appeal, not of every answer.
    rule: 'ask-again',
    ruleVersion: 1,
    evidence: [appealId],
    decidedBy,
  }));
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT)
    await tx.insert(decisions).values(rows.slice(from, from + ROWS_PER_INSERT));
  await settleAnswers(tx, { which: leasesIn(back), held, stageKind, policy, inTime: false });
  return back.length;
}

type Aside = { id: string; leaseId: string; itemId: string };

/** Answers of the worker that were asked again since the decision, and of which nobody said anything else after that. */
async function askedAgain(tx: Transaction, { stageId, workerId, decisionId }: Reinstating): Promise<Aside[]> {
  const found = await tx.execute<Aside>(sql`
    select a.id, a.lease_id as "leaseId", a.item_id as "itemId"
    from ${answers} a join ${items} i on i.id = a.item_id and i.stage_id = ${stageId}
    where a.worker_id = ${workerId} and (
      select d.rule = 'ask-again' and d.verdict = 'set-aside' and d.id > ${decisionId} from ${decisions} d
      where d.subject = 'answer' and d.subject_id = a.id and d.verdict in ('set-aside', 'reinstated')
      order by d.id desc limit 1)`);
  return found.rows;
}

const leasesIn = (rows: readonly { leaseId: string }[]) =>
  sql`l.id = any (${sql.param(rows.map((row) => row.leaseId))}::uuid[])`;

export interface NewAppeal {
  decisionId: string;
  /** Made by the client: the same id is the same appeal. */
  appealId: string;
  text: string;
}

/** Objects to a decision about oneself, once. The decision about another does not exist. */
export async function appeal(
  db: Database,
  actor: UserActor,
  { decisionId, appealId, text }: NewAppeal,
): Promise<{ appealId: string; createdAt: Date }> {
  requireScope(actor, 'work.appeal');
  return db.transaction(async (tx) => {
    const { projectId, verdict } = await findOwn(tx, actor, decisionId);
    if (verdict === 'resume' || verdict === 'refreshed')
      throw conflict('This decision lets you go on: there is nothing to object to.', {
        code: 'appealNotNeeded',
      });
    const [made] = await tx
      .insert(appeals)
      .values({ id: appealId, projectId, decisionId, workerId: actor.userId, text })
      .onConflictDoNothing()
      .returning({ createdAt: appeals.createdAt });
    if (made) return { appealId, createdAt: made.createdAt };
    const [there] = await tx.select().from(appeals).where(eq(appeals.decisionId, decisionId));
    if (there?.id === appealId) return { appealId, createdAt: there.createdAt };
    throw conflict('You have objected to this decision already: a curator will answer.', {
      code: 'appealTwice',
    });
  });
}

/** Finds the decision, or says that there is none: before anything else is checked about a request. */
export async function requireOwnDecision(db: Database, actor: UserActor, decisionId: string): Promise<void> {
  requireScope(actor, 'work.appeal');
  await findOwn(db, actor, decisionId);
}

async function findOwn(db: Database | Transaction, actor: UserActor, decisionId: string) {
  const [decision] = await db
    .select({ projectId: decisions.projectId, verdict: decisions.verdict })
    .from(decisions)
    .innerJoin(memberships, membershipOf(decisions.projectId, actor.userId))
    .where(
      and(
        eq(decisions.id, decisionId),
        eq(decisions.subject, 'worker'),
        eq(decisions.subjectId, actor.userId),
      ),
    );
  if (!decision) throw notFound('decision');
  return decision;
}
