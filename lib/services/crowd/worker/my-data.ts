import { and, asc, desc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { shownAddress } from '@/lib/services/accounts';
import { consentHistory } from '../consent';
import { ownPayees } from '../pay/own-payee';

const {
  accounts,
  answers,
  arrivals,
  batches,
  exams,
  items,
  leases,
  memberships,
  messages,
  projects,
  recruitments,
  sessions,
  stages,
  users,
  ledger,
  appeals,
  decisions,
} = tables;

/** More lines than anybody earns. */
const EVERY_LINE = 1_000_000;

/** All that is stored about a person, for themselves, except what would tell hidden checks from other items. */
export async function myData(db: Db, actor: UserActor) {
  const me = actor.userId;
  const [profile] = await db
    .select({
      name: users.name,
      email: users.email,
      createdAt: users.createdAt,
      preferences: users.preferences,
    })
    .from(users)
    .where(eq(users.id, me));
  return {
    profile: profile && { ...profile, email: shownAddress(profile.email) },
    hasPassword: await hasPassword(db, me),
    sessions: await db
      .select({
        ipAddress: sessions.ipAddress,
        userAgent: sessions.userAgent,
        createdAt: sessions.createdAt,
        expiresAt: sessions.expiresAt,
      })
      .from(sessions)
      .where(eq(sessions.userId, me)),
    projects: await db
      .select({
        project: projects.name,
        role: memberships.role,
        cohort: memberships.cohort,
        since: memberships.createdAt,
      })
      .from(memberships)
      .innerJoin(projects, eq(projects.id, memberships.projectId))
      .where(eq(memberships.userId, me)),
    visits: await db
      .select({
        recruiter: recruitments.recruiter,
        study: recruitments.externalId,
        worker: arrivals.externalWorker,
        session: arrivals.externalSession,
        state: arrivals.state,
        createdAt: arrivals.createdAt,
        endedAt: arrivals.endedAt,
      })
      .from(arrivals)
      .innerJoin(recruitments, eq(recruitments.id, arrivals.recruitmentId))
      .where(eq(arrivals.workerId, me)),
    consents: await consentHistory(db, { workerId: me }),
    batches: await db
      .select({
        id: batches.id,
        project: projects.name,
        stage: stages.name,
        kind: batches.kind,
        state: batches.state,
        createdAt: batches.createdAt,
        submittedAt: batches.submittedAt,
      })
      .from(batches)
      .innerJoin(projects, eq(projects.id, batches.projectId))
      .innerJoin(stages, eq(stages.id, batches.stageId))
      .where(eq(batches.workerId, me))
      .orderBy(asc(batches.id)),
    exams: await db
      .select({
        stage: stages.name,
        attempt: exams.attempt,
        precision: exams.precision,
        recall: exams.recall,
        meanIou: exams.meanIou,
        passed: exams.passed,
        finishedAt: exams.finishedAt,
      })
      .from(exams)
      .innerJoin(stages, eq(stages.id, exams.stageId))
      .where(eq(exams.workerId, me)),
    answers: await db
      .select({
        id: answers.id,
        batchId: leases.batchId,
        target: items.target,
        value: answers.value,
        activeMs: answers.activeMs,
        interaction: answers.interaction,
        repeatsCode: answers.repeatsCode,
        createdAt: answers.createdAt,
      })
      .from(answers)
      .innerJoin(leases, eq(leases.id, answers.leaseId))
      .innerJoin(items, eq(items.id, answers.itemId))
      .where(eq(answers.workerId, me))
      .orderBy(asc(answers.createdAt)),
    payeeDetails: (await ownPayees(db, me))
      .filter(({ state }) => state !== 'missing')
      .map(({ project, state, details, updatedAt }) => ({
        project: project.name,
        state,
        details,
        updatedAt,
      })),
    earnings: await earningsOf(db, me),
    decisions: await decisionsAbout(db, me),
    messages: await messagesOf(db, me),
  };
}

const earningsOf = async (db: Db, workerId: string) =>
  (await statement(db, workerId, { limit: EVERY_LINE })).map(({ amountMicro, ...line }) => ({
    ...line,
    amountMicro: String(amountMicro),
  }));

/** What a person wrote to the curators, newest last. */
export const messagesOf = (db: Db, workerId: string) =>
  db
    .select({
      id: messages.id,
      at: messages.createdAt,
      project: projects.name,
      kind: messages.kind,
      text: messages.text,
    })
    .from(messages)
    .innerJoin(projects, eq(projects.id, messages.projectId))
    .where(eq(messages.authorId, workerId))
    .orderBy(asc(messages.createdAt));

/** Who came by a marketplace has none. */
export const hasPassword = async (db: Db, userId: string): Promise<boolean> =>
  (await db.$count(accounts, eq(accounts.userId, userId))) > 0;

/** The lines of the ledger about a person, newest first. `before`: the last id of the page before. */
export async function statement(db: Db, workerId: string, page: { limit: number; before?: string }) {
  return db
    .select({
      id: ledger.id,
      at: ledger.createdAt,
      project: projects.name,
      kind: ledger.kind,
      amountMicro: ledger.amountMicro,
      currency: ledger.currency,
      note: ledger.note,
    })
    .from(ledger)
    .innerJoin(projects, eq(projects.id, ledger.projectId))
    .where(and(eq(ledger.workerId, workerId), page.before ? lt(ledger.id, page.before) : undefined))
    .orderBy(desc(ledger.id))
    .limit(page.limit);
}

export type StatementLine = Awaited<ReturnType<typeof statement>>[number];

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
