import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { JobSpec } from '@/lib/core/training-spec';
import { activeStates } from '@/lib/services/jobs/job-row';
import { type RunEvent, readStoredEvents } from '../runs/follow-events';
import { type Machine, misfit } from '../trainers/calibration';
import { leaseEnd, type Trainer } from './lease';
import { listInputs, MANIFEST } from './run-inputs';

const { blobs, jobs, projects, runFiles, runs, trainers } = tables;

/** Runs that are looked at for one that fits: the oldest. */
const LOOKED_AT = 1000;

export interface TakenRun {
  id: string;
  name: string;
  attempt: number;
  /** The spec and the snapshot, by hash. */
  files: { path: string; sha256: string; bytes: number }[];
  checkpoint: { sha256: string; bytes: number } | null;
  /** What the trainer must know of what was told: the last event, after which it counts on, and the artefacts. */
  told: RunEvent[];
}

/** Gives a trainer the oldest run that waits and that it can train; null when there is none. */
export async function takeRun(db: Db, trainer: Trainer): Promise<TakenRun | null> {
  await noteSeen(db, trainer);
  await endLostLeases(db, trainer);
  const waiting = await db
    .select({
      id: runs.id,
      resources: sql<JobSpec['resources']>`${runs.spec} -> 'resources'`,
      attempt: runs.attempt,
    })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .leftJoin(jobs, eq(jobs.id, runs.jobId))
    .where(
      and(
        eq(runs.launcher, 'remote'),
        inArray(runs.state, ['queued', 'running']),
        isNull(runs.leasedUntil),
        isNull(runs.result),
        sql`${projects.state} <> 'archived'`,
        // Else nobody would act on a verdict.
        or(isNull(runs.jobId), inArray(jobs.state, [...activeStates])),
        sql`coalesce(${jobs.cancelRequested}, false) = false`,
        sql`exists (select 1 from ${runFiles} where ${runFiles.runId} = ${runs.id} and ${runFiles.path} = ${MANIFEST})`,
      ),
    )
    .orderBy(asc(runs.createdAt))
    .limit(LOOKED_AT);
  for (const { id, resources, attempt } of waiting) {
    if (misfit(trainer.capabilities as unknown as Machine, resources) !== null) continue;
    // Of two trainers that saw the same run the first one gets it.
    const [taken] = await db
      .update(runs)
      .set({
        state: 'running',
        attempt: attempt + 1,
        trainer: trainer.name,
        leasedUntil: leaseEnd,
        startedAt: sql`coalesce(${runs.startedAt}, now())`,
      })
      .where(
        and(
          eq(runs.id, id),
          eq(runs.attempt, attempt),
          inArray(runs.state, ['queued', 'running']),
          isNull(runs.leasedUntil),
          isNull(runs.result),
        ),
      )
      .returning({ id: runs.id, name: runs.name, attempt: runs.attempt, checkpoint: runs.checkpoint });
    if (taken)
      return {
        ...taken,
        files: await listInputs(db, id),
        checkpoint: await checkpointOf(db, taken.checkpoint),
        told: await readStoredEvents(db, id),
      };
  }
  return null;
}

const SEEN_SECONDS = 10;

export async function noteSeen(db: Db, trainer: Trainer): Promise<void> {
  // Negative after our clock was set back: without a new note the trainer would look lost for as long.
  const age = Date.now() - trainer.seenAt.getTime();
  if (age >= 0 && age < SEEN_SECONDS * 1000) return;
  await db.update(trainers).set({ seenAt: sql`now()` }).where(eq(trainers.id, trainer.id));
}

/** A trainer has one run at a time. If it requests another one, it was restarted and has lost the previous one. */
async function endLostLeases(db: Db, trainer: Trainer): Promise<void> {
  await db
    .update(runs)
    .set({ leasedUntil: sql`now() - interval '1 second'` })
    .where(
      and(
        eq(runs.launcher, 'remote'),
        inArray(runs.state, ['queued', 'running']),
        eq(runs.trainer, trainer.name),
        isNotNull(runs.leasedUntil),
        sql`${runs.leasedUntil} > now()`,
      ),
    );
}

async function checkpointOf(db: Db, sha256: string | null): Promise<TakenRun['checkpoint']> {
  if (sha256 === null) return null;
  const [blob] = await db
    .select({ sha256: blobs.sha256, bytes: blobs.bytes })
    .from(blobs)
    .where(eq(blobs.sha256, sha256));
  return blob ?? null;
}
