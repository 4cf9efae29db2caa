import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, count, desc, eq } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import type { RecruiterId } from '@/db/schema';
import { readConfig } from '@/lib/config';
import { type Actor, actorId } from '@/lib/core/actor';
import { conflict, invalid, notFound, TesseraError } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import type { ArrivalState, Recruitment } from './recruiter';
import { recruiterOf } from './registry';

const { arrivals, recruitments } = tables;

export interface NewRecruitment {
  projectId: string;
  recruiter: RecruiterId;
  /** The study's id at the marketplace. */
  externalId: string;
  cohort?: string | null;
  settings: unknown;
}

/** Opens a project to the people of a study. A study belongs to one project. */
export async function createRecruitment(
  db: Database,
  actor: Actor,
  input: NewRecruitment,
): Promise<Recruitment> {
  // Refuses a source that has no studies.
  arrivalLink(input);
  const parsed = recruiterOf(input.recruiter).settings.safeParse(input.settings);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalid(`${issue?.path.join('.') || 'The settings'}: ${issue?.message}`);
  }
  return db.transaction(async (tx) => {
    const [made] = await tx
      .insert(recruitments)
      .values({
        projectId: input.projectId,
        recruiter: input.recruiter,
        externalId: input.externalId,
        cohort: input.cohort ?? null,
        settings: parsed.data,
        createdBy: actorId(actor),
      })
      .onConflictDoNothing()
      .returning();
    if (!made) throw conflict('This study is used already. Close it where it is used, or make another one.');
    await note(tx, actor, 'recruitment.create', made);
    return made;
  });
}

/** Nobody new comes in; those who are here may finish. */
export async function closeRecruitment(
  db: Database,
  actor: Actor,
  which: { recruitmentId: string; projectId: string },
): Promise<Recruitment> {
  return db.transaction(async (tx) => {
    const [closed] = await tx
      .update(recruitments)
      .set({ state: 'closed' })
      .where(and(eq(recruitments.id, which.recruitmentId), eq(recruitments.projectId, which.projectId)))
      .returning();
    if (!closed) throw notFound('recruitment');
    await note(tx, actor, 'recruitment.close', closed);
    return closed;
  });
}

/** Newest first, with how many came and how their visits ended, and the address to give to the marketplace. */
export async function listRecruitments(db: Db, projectId: string) {
  const rows = await db
    .select()
    .from(recruitments)
    .where(eq(recruitments.projectId, projectId))
    .orderBy(desc(recruitments.id));
  const counts = await db
    .select({ recruitmentId: arrivals.recruitmentId, state: arrivals.state, n: count() })
    .from(arrivals)
    .where(eq(arrivals.projectId, projectId))
    .groupBy(arrivals.recruitmentId, arrivals.state);
  return rows.map((recruitment) => {
    const visits: Partial<Record<ArrivalState, number>> = {};
    for (const { recruitmentId, state, n } of counts) if (recruitmentId === recruitment.id) visits[state] = n;
    return { ...recruitment, visits, link: arrivalLink(recruitment) };
  });
}

/** The study's address at the marketplace. */
export function arrivalLink(study: Pick<Recruitment, 'recruiter' | 'externalId'>): string {
  const link = recruiterOf(study.recruiter).studyLink(readConfig().url, linkKey(study));
  if (link === null) throw invalid('People of the own pool come by invitations, not by a study.');
  return link;
}

const note = (tx: Db, actor: Actor, verb: string, { id, projectId, recruiter, externalId }: Recruitment) =>
  record(tx, {
    actor,
    verb,
    subject: 'recruitment',
    subjectId: id,
    projectId,
    detail: { recruiter, externalId },
  });

/**
 * The secret in the link of one study. It keeps out strangers who merely guess a study and a participant; everybody
 * who was sent by the study knows it, so it proves nothing about which participant somebody is (see `arrive`).
 */
function linkKey(study: { recruiter: string; externalId: string }): string {
  const { TESSERA_SECRET: secret } = readConfig();
  if (!secret)
    throw new TesseraError('unavailable', 'TESSERA_SECRET is not set: start Tessera with `npm start`.');
  return createHmac('sha256', secret)
    .update(`recruitment\n${study.recruiter}\n${study.externalId}`)
    .digest('base64url');
}

export function isLinkKey(study: { recruiter: string; externalId: string }, given: string | null): boolean {
  const right = Buffer.from(linkKey(study));
  const shown = Buffer.from(given ?? '');
  return shown.length === right.length && timingSafeEqual(shown, right);
}
