import { and, eq } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import { requireScope, type UserActor } from '@/lib/services/access';
import { membershipOf } from '../work/own-work';

const { appeals, decisions, memberships } = tables;

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
