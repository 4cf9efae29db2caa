import { and, desc, eq, isNull, or, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { answers, appeals, decisions, projects, stages } = tables;

/**
 * What was decided about a person and, by a curator, about their answers; why, and what came of their appeals, newest
 * first. The evidence stays out: it names the hidden checks.
 */
export async function decisionsAbout(db: Db, workerId: string) {
  return db
    .select({
      id: decisions.id,
      at: decisions.createdAt,
      project: { name: projects.name, slug: projects.slug },
      stage: stages.name,
      /** Whether it is about the person or about one answer. */
      subject: decisions.subject,
      verdict: decisions.verdict,
      reason: decisions.reason,
      rule: decisions.rule,
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
    .where(or(aboutPerson(workerId), aboutAnswer(workerId)))
    .orderBy(desc(decisions.id));
}

const aboutPerson = (workerId: string) =>
  and(eq(decisions.subject, 'worker'), eq(decisions.subjectId, workerId));

/** What a rule sets aside was nobody's fault: it came late, or was asked again with much else. */
const aboutAnswer = (workerId: string) =>
  and(
    eq(decisions.subject, 'answer'),
    isNull(decisions.rule),
    sql`${decisions.subjectId} in (select ${answers.id} from ${answers} where ${answers.workerId} = ${workerId})`,
  );

export type DecisionAboutMe = Awaited<ReturnType<typeof decisionsAbout>>[number];
