import { and, desc, eq, sql } from 'drizzle-orm';
import { type Database, type Db, type Transaction, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { requireScope, type UserActor } from '@/lib/services/access';
import { enqueue } from '@/lib/services/jobs';
import { releaseBatches } from '../end-running-batches';
import { holdMembership, tryHoldMembership } from '../hold-membership';
import type { Arrival, Outcome, Recruitment } from './recruiter';
import { recruiterOf } from './registry';

const { arrivals, sessions, batches, drafts, leases, messages, projects, recruitments, settings } = tables;

const batchEnds = {
  finished: 'submitted',
  'screened-out': 'submitted',
  returned: 'returned',
  'timed-out': 'expired',
} as const satisfies Record<Outcome, string>;

/**
 * Ends a visit: finished items are kept and paid, open ones go to others at once, and the person is signed out, for
 * they have no password to come back with. False when it had ended already.
 */
export async function endVisit(
  tx: Transaction,
  visit: { id: string; projectId: string; workerId: string },
  state: Outcome,
): Promise<boolean> {
  // Without a membership there is nothing to hold: nobody can take work in their name meanwhile.
  await tryHoldMembership(tx, visit);
  const [ended] = await tx
    .update(arrivals)
    .set({ state, endedAt: sql`now()` })
    .where(and(eq(arrivals.id, visit.id), eq(arrivals.state, 'active')))
    .returning({ id: arrivals.id });
  if (!ended) return false;
  await releaseBatches(tx, visit, batchEnds[state]);
  await tx.delete(sessions).where(eq(sessions.userId, visit.workerId));
  return true;
}

/** The worker goes back to the marketplace; where to depends on what they did here. */
export async function leave(
  db: Database,
  actor: UserActor,
  { projectId }: { projectId: string },
): Promise<{ outcome: VisitProgress['outcome']; completionUrl: string | null }> {
  requireScope(actor, 'work.finish');
  return db.transaction(async (tx) => {
    await holdMembership(tx, { projectId, workerId: actor.userId });
    const visit = await openVisit(tx, { workerId: actor.userId, projectId });
    if (!visit) throw notFound('visit');
    const { outcome } = await visitProgress(tx, visit);
    await endVisit(tx, visit.arrival, outcome);
    const completionUrl = recruiterOf(visit.recruitment.recruiter).completionUrl(visit.recruitment, outcome);
    return { outcome, completionUrl };
  });
}

export interface Visit {
  arrival: Arrival;
  recruitment: Recruitment;
  /** Of the project. */
  slug: string;
}

/** The visit on which a worker is now, of this project or of any; null for people of the own pool. */
export async function openVisit(
  db: Db,
  which: { workerId: string; projectId?: string },
): Promise<Visit | null> {
  const [row] = await db
    .select({ arrival: arrivals, recruitment: recruitments, slug: projects.slug })
    .from(arrivals)
    .innerJoin(recruitments, eq(recruitments.id, arrivals.recruitmentId))
    .innerJoin(projects, eq(projects.id, arrivals.projectId))
    .where(
      and(
        eq(arrivals.workerId, which.workerId),
        eq(arrivals.state, 'active'),
        which.projectId ? eq(arrivals.projectId, which.projectId) : undefined,
      ),
    )
    .orderBy(desc(arrivals.id))
    .limit(1);
  return row ?? null;
}

export interface VisitProgress {
  /** How the visit would end if the person left now. */
  outcome: Extract<Outcome, 'finished' | 'screened-out' | 'returned'>;
  batchesDone: number;
  batchesWanted: number;
}

/**
 * Enough whole batches make a finished visit. Who did less, but something (an exam, passed or not; a few items), is
 * screened out, which the marketplace pays. Who did nothing gives the place back.
 */
export async function visitProgress(db: Db, { arrival, recruitment }: Visit): Promise<VisitProgress> {
  const batchesWanted = Number(recruitment.settings.batches ?? 1);
  const found = await db.execute<{ whole: number; answered: number }>(sql`
    select coalesce(sum(l.answered), 0)::int as answered,
      (count(*) filter (where b.kind = 'work' and b.state = 'submitted' and l.answered > 0 and l.left_open = 0))::int
        as whole
    from ${batches} b cross join lateral (
      select count(*) filter (where state in ('answered', 'late') or (state = 'open' and exists (
          select 1 from ${drafts} d where d.lease_id = ${leases}.id and d.done_at is not null))) as answered,
        count(*) filter (where state not in ('answered', 'late') and not exists (
          select 1 from ${messages} m where m.lease_id = ${leases}.id and m.kind = 'broken-image')) as left_open
      from ${leases} where batch_id = b.id) l
    where b.worker_id = ${arrival.workerId} and b.project_id = ${arrival.projectId} and b.kind <> 'practice'
      and b.created_at >= ${arrival.createdAt.toISOString()}`);
  const { whole: batchesDone = 0, answered = 0 } = found.rows[0] ?? {};
  const outcome = batchesDone >= batchesWanted ? 'finished' : answered > 0 ? 'screened-out' : 'returned';
  return { outcome, batchesDone, batchesWanted };
}

/** Studies with somebody on a visit; also closed ones, because those who are in may finish. */
export async function studiesWithVisits(db: Database): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: arrivals.recruitmentId })
    .from(arrivals)
    .where(eq(arrivals.state, 'active'));
  return rows.map(({ id }) => id);
}

/** Asks the marketplace which visits of a study have ended, and takes back the work that is still out on them. */
export async function reclaimVisits(db: Database, recruitmentId: string): Promise<number> {
  const [recruitment] = await db.select().from(recruitments).where(eq(recruitments.id, recruitmentId));
  if (!recruitment) return 0;
  const open = await db
    .select()
    .from(arrivals)
    .where(and(eq(arrivals.recruitmentId, recruitmentId), eq(arrivals.state, 'active')));
  const ended = await recruiterOf(recruitment.recruiter).reclaim(
    recruitment,
    open.map(({ externalSession }) => externalSession),
  );
  let count = 0;
  for (const { session, state } of ended) {
    const visit = open.find(({ externalSession }) => externalSession === session);
    if (visit && (await db.transaction((tx) => endVisit(tx, visit, state)))) count += 1;
  }
  return count;
}

/** Starts the asking every few minutes while somebody is on a visit, whichever of many workers thinks of it first. */
export async function scheduleReclaiming(db: Database): Promise<boolean> {
  if ((await studiesWithVisits(db)).length === 0) return false;
  return db.transaction(async (tx) => {
    const [due] = await tx
      .insert(settings)
      .values({ key: 'visits.lastAsked', value: sql`to_jsonb(now())` })
      .onConflictDoUpdate({
        target: settings.key,
        set: { value: sql`to_jsonb(now())`, updatedAt: sql`now()` },
        setWhere: sql`${settings.updatedAt} < now() - interval '5 minutes'`,
      })
      .returning({ key: settings.key });
    if (!due) return false;
    await enqueue(tx, 'reclaim-visits', {}, { title: 'Ask marketplaces who has left' });
    return true;
  });
}
