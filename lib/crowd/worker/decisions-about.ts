import { and, desc, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { appeals, decisions, projects, stages } = tables;

/**
 * What was decided about a person, why, and what came of their appeals, newest first. The evidence stays out: it
 * names the hidden checks.
 */
export async function decisionsAbout(db: Db, workerId: string) {
  return db
    .select({
      id: decisions.id,
      at: decisions.createdAt,
      project: { name: projects.name, slug: projects.slug },
      stage: stages.name,
      verdict: decisions.verdict,
      reason: decisions.reason,
      isByRule: sql<boolean>`${decisions.rule} is not null`,
      appeal: {
        text: appeals.text,
        at: appeals.createdAt,
        outcome: appeals.outcome,
        reply: appeals.reply,
        answeredAt: appeals.answeredAt,
      },
    })
    .from(decisions)
    .innerJoin(projects, eq(projects.id, decisions.projectId))
    .leftJoin(stages, eq(stages.id, decisions.stageId))
    .leftJoin(appeals, eq(appeals.decisionId, decisions.id))
    .where(and(eq(decisions.subject, 'worker'), eq(decisions.subjectId, workerId)))
    .orderBy(desc(decisions.id));
}

export type DecisionAboutMe = Awaited<ReturnType<typeof decisionsAbout>>[number];
