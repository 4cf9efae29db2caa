import { and, desc, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Db, tables } from '@/db';

const { appeals, decisions, users } = tables;
const deciders = alias(users, 'deciders');
const answerers = alias(users, 'answerers');

/** What was decided about a worker in a project and what they said to it, newest first. */
export async function workerDecisions(db: Db, projectId: string, workerId: string) {
  const rows = await db
    .select({
      id: decisions.id,
      stageId: decisions.stageId,
      verdict: decisions.verdict,
      target: decisions.target,
      reason: decisions.reason,
      rule: decisions.rule,
      ruleVersion: decisions.ruleVersion,
      evidence: decisions.evidence,
      decidedBy: deciders.name,
      at: decisions.createdAt,
      appeal: {
        id: appeals.id,
        text: appeals.text,
        outcome: appeals.outcome,
        reply: appeals.reply,
        answeredAt: appeals.answeredAt,
        at: appeals.createdAt,
      },
      answeredBy: answerers.name,
    })
    .from(decisions)
    .leftJoin(appeals, eq(appeals.decisionId, decisions.id))
    .leftJoin(deciders, eq(deciders.id, decisions.decidedBy))
    .leftJoin(answerers, eq(answerers.id, appeals.answeredBy))
    .where(
      and(
        eq(decisions.projectId, projectId),
        eq(decisions.subject, 'worker'),
        eq(decisions.subjectId, workerId),
      ),
    )
    .orderBy(desc(decisions.id));
  return rows.map(({ appeal, answeredBy, ...row }) => ({
    ...row,
    appeal: appeal && { ...appeal, answeredBy },
  }));
}

export type WorkerDecision = Awaited<ReturnType<typeof workerDecisions>>[number];
