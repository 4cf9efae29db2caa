import { and, desc, eq, sql } from 'drizzle-orm';
import { type Database, newId, type Transaction, tables } from '@/db';
import { authorOf } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { isOpenIn } from '@/lib/services/access';
import { createUser, emailOfVisitor } from '@/lib/services/accounts';
import { record } from '@/lib/services/activity';
import type { Arrival, Query, Recruiter, Recruitment, Visitor, Voucher } from './recruiter';

const { arrivals, memberships, projects, recruitments, users } = tables;

export type Arrived =
  | { kind: 'preview'; says: string }
  /** Sign this person in and lead them to the project. */
  | { kind: 'arrived'; userId: string; projectId: string; slug: string; isNew: boolean }
  | { kind: 'over'; state: Arrival['state']; completionUrl: string | null };

export interface Arriving {
  query: Query;
  /** Who the browser is signed in as. */
  signedInAs: string | null;
  requestId: string | null;
}

/** Which project an address belongs to, for the page before the visit begins. Nothing is stored. */
export async function studyOf(
  db: Database,
  recruiter: Recruiter,
  query: Query,
): Promise<{ projectId: string; isPreview: boolean }> {
  const parsed = recruiter.parseArrival(query);
  const study = parsed.study === null ? null : await findStudy(db, recruiter, parsed.study);
  if (!study) throw notFound('study');
  return { projectId: study.recruitment.projectId, isPreview: parsed.kind === 'preview' };
}

/**
 * Lets in somebody whom a marketplace has sent, without a password. Ids in an address are no secret, so the question
 * is who vouches for them. If the marketplace does (its API confirms person, study and visit, and that the visit is
 * open), the person is known by their id there, over all its studies of the project. If only the link's secret
 * speaks, which everybody in the study knows, it opens new accounts only: an account that exists is opened by the
 * very visit that made it, or from a browser that is in it already. A visit that has ended opens nothing.
 */
export async function arrive(db: Database, recruiter: Recruiter, arriving: Arriving): Promise<Arrived> {
  const parsed = recruiter.parseArrival(arriving.query);
  if (parsed.kind === 'preview') return { kind: 'preview', says: recruiter.previewPolicy.says };
  const study = await findStudy(db, recruiter, parsed.study);
  if (!study) throw notFound('study');
  const voucher = await recruiter.vouch(study.recruitment, parsed);
  return db.transaction((tx) => admit(tx, { recruiter, study, visitor: parsed, voucher, arriving }));
}

interface Study {
  recruitment: Recruitment;
  project: typeof projects.$inferSelect;
}

async function findStudy(db: Database, recruiter: Recruiter, externalId: string): Promise<Study | null> {
  const [row] = await db
    .select({ recruitment: recruitments, project: projects })
    .from(recruitments)
    .innerJoin(projects, eq(projects.id, recruitments.projectId))
    .where(and(eq(recruitments.recruiter, recruiter.id), eq(recruitments.externalId, externalId)));
  return row ?? null;
}

interface Admission {
  recruiter: Recruiter;
  study: Study;
  visitor: Visitor;
  voucher: Voucher;
  arriving: Arriving;
}

async function admit(tx: Transaction, admission: Admission): Promise<Arrived> {
  const { recruiter, study, visitor, voucher, arriving } = admission;
  const { recruitment, project } = study;
  // A double click, or the same person in two windows, makes one account.
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`arrive ${recruiter.id} ${visitor.worker}`}, 0))`,
  );
  const visit = await findVisit(tx, recruitment, visitor);
  if (visit && visit.externalWorker !== visitor.worker) throw notThisVisit();
  if (visit && visit.state !== 'active') {
    const completionUrl = recruiter.completionUrl(recruitment, visit.state);
    return { kind: 'over', state: visit.state, completionUrl };
  }
  // How it ended is not known here yet: the job that asks finds out.
  if (voucher === 'over') return { kind: 'over', state: 'active', completionUrl: null };
  const known = await findKnown(tx, admission);
  if (known && voucher === 'unconfirmed' && !visit && arriving.signedInAs !== known) throw notThisVisit();
  if (!visit) requireOpen(study);
  const userId = known ?? (await createVisitor(tx, recruitment, arriving.requestId));
  if (known) await requireMember(tx, project.id, known);
  if (!visit) {
    await tx.insert(arrivals).values({
      recruitmentId: recruitment.id,
      projectId: project.id,
      workerId: userId,
      externalWorker: visitor.worker,
      externalSession: visitor.session,
    });
  }
  return { kind: 'arrived', userId, projectId: project.id, slug: project.slug, isNew: !known };
}

const notThisVisit = () =>
  invalid(
    'You have been here before, on another visit. Go on in the browser that you used then, or write to the researcher.',
    { code: 'otherVisit' },
  );

async function findVisit(tx: Transaction, recruitment: Recruitment, { session }: Visitor) {
  const [visit] = await tx
    .select()
    .from(arrivals)
    .where(and(eq(arrivals.recruitmentId, recruitment.id), eq(arrivals.externalSession, session)));
  return visit;
}

/** The account that this person got by any study of the project at the same marketplace. */
async function findKnown(tx: Transaction, { recruiter, study, visitor }: Admission): Promise<string | null> {
  const [known] = await tx
    .select({ workerId: arrivals.workerId })
    .from(arrivals)
    .innerJoin(recruitments, eq(recruitments.id, arrivals.recruitmentId))
    .where(
      and(
        eq(arrivals.externalWorker, visitor.worker),
        eq(arrivals.projectId, study.project.id),
        eq(recruitments.recruiter, recruiter.id),
      ),
    )
    .orderBy(desc(arrivals.id))
    .limit(1);
  return known?.workerId ?? null;
}

function requireOpen({ recruitment, project }: Study): void {
  if (recruitment.state !== 'open' || !isOpenIn('work.take', project.state)) {
    throw conflict(
      'The study takes nobody in at the moment. Return it at the marketplace; you lose nothing.',
      { code: 'studyClosed' },
    );
  }
}

/** Who was removed, or disabled, is not let in again by the next study. */
async function requireMember(tx: Transaction, projectId: string, userId: string): Promise<void> {
  const [member] = await tx
    .select({ disabledAt: users.disabledAt })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.projectId, projectId),
        eq(memberships.userId, userId),
        eq(memberships.role, 'worker'),
      ),
    );
  if (!member || member.disabledAt) {
    throw conflict('You cannot take part in this study any more. What you finished is paid.', {
      code: 'removed',
    });
  }
}

/** The account carries a made-up name: the id at the marketplace stays in `arrivals`, out of every list and export. */
async function createVisitor(
  tx: Transaction,
  recruitment: Recruitment,
  requestId: string | null,
): Promise<string> {
  const handle = newId();
  const user = await createUser(
    tx,
    { requestId },
    { name: `Visitor ${handle.slice(-6)}`, email: emailOfVisitor(handle), passwordHash: null },
  );
  const { projectId, cohort } = recruitment;
  await tx.insert(memberships).values({ projectId, userId: user.id, role: 'worker', cohort });
  await record(tx, {
    actor: authorOf(user, requestId),
    verb: 'recruitment.arrive',
    subject: 'recruitment',
    subjectId: recruitment.id,
    projectId,
  });
  return user.id;
}
