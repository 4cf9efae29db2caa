import { asc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { shownAddress } from '@/lib/services/accounts';
import { consentHistory } from '../consent';
import { ownPayees } from '../pay/own-payee';
import { decisionsAbout } from './decisions-about';
import { statement } from './statement';

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
