import { and, desc, eq, gte, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Arrival, Outcome, Recruitment } from './recruiter';

const { arrivals, batches, exams, recruitments } = tables;

export interface Visit {
  arrival: Arrival;
  recruitment: Recruitment;
}

/** The visit on which a worker is now, of this project or of any; null for people of the own pool. */
export async function openVisit(
  db: Db,
  which: { workerId: string; projectId?: string },
): Promise<Visit | null> {
  const [row] = await db
    .select({ arrival: arrivals, recruitment: recruitments })
    .from(arrivals)
    .innerJoin(recruitments, eq(recruitments.id, arrivals.recruitmentId))
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

/** Enough batches make a finished visit; a failed exam a paid screen-out; anything less is given back. */
export async function visitProgress(db: Db, { arrival, recruitment }: Visit): Promise<VisitProgress> {
  const { workerId, projectId, createdAt } = arrival;
  const batchesWanted = Number(recruitment.settings.batches ?? 1);
  const batchesDone = await db.$count(
    batches,
    and(
      eq(batches.workerId, workerId),
      eq(batches.projectId, projectId),
      eq(batches.kind, 'work'),
      eq(batches.state, 'submitted'),
      gte(batches.submittedAt, createdAt),
    ),
  );
  if (batchesDone >= batchesWanted) return { outcome: 'finished', batchesDone, batchesWanted };
  const [exam] = await db
    .select({ passed: exams.passed })
    .from(exams)
    .where(
      and(
        eq(exams.workerId, workerId),
        eq(exams.projectId, projectId),
        sql`${exams.finishedAt} >= ${createdAt}`,
      ),
    )
    .orderBy(desc(exams.finishedAt))
    .limit(1);
  return { outcome: exam?.passed === false ? 'screened-out' : 'returned', batchesDone, batchesWanted };
}
