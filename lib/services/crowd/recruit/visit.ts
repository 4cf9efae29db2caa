import { and, desc, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Arrival, Outcome, Recruitment } from './recruiter';

const { arrivals, batches, drafts, leases, messages, projects, recruitments } = tables;

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
