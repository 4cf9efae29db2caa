import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import type { JobSpec } from '@/lib/core/training-spec';
import { RANK_LOST, type RunResult } from '../runs/follow-events';
import { RunClock } from '../runs/run-clock';
import { noteSeen } from './take-run';

const { jobs, runs, trainers } = tables;

/** A remote trainer without a heartbeat for this long loses its run, which is offered to others. */
export const LEASE_SECONDS = 60;

export const leaseEnd = sql`now() + make_interval(secs => ${LEASE_SECONDS})`;

export type Trainer = typeof trainers.$inferSelect;

/** The trainer that speaks: by its id and the key it was entered with. */
export async function trainerOf(db: Db, actor: UserActor, trainerId: string): Promise<Trainer> {
  const [row] = await db
    .select()
    .from(trainers)
    .where(and(eq(trainers.id, trainerId), eq(trainers.keyId, actor.credentialId)));
  if (!row || actor.via !== 'key') throw notFound('trainer');
  return row;
}

export interface Hold {
  runId: string;
  attempt: number;
}

/**
 * The run, if this attempt of this trainer still holds it. An attempt that was out of touch for longer than its lease
 * goes on as long as nobody else has begun another.
 */
export async function heldRun(
  db: Db,
  trainer: Trainer,
  { runId, attempt }: Hold,
  { lock = false }: { lock?: boolean } = {},
): Promise<typeof runs.$inferSelect> {
  const query = db
    .select()
    .from(runs)
    .where(and(eq(runs.id, runId), eq(runs.launcher, 'remote'), eq(runs.trainer, trainer.name)));
  const [run] = await (lock ? query.for('update') : query);
  if (!run) throw notFound('run');
  const isOpen = (run.state === 'running' || run.state === 'queued') && run.result === null;
  if (run.attempt !== attempt || !isOpen)
    throw conflict('This attempt does not hold the run any more: stop it.');
  return run;
}

/** Renews the lease of a remote trainer. The reply tells it whether the run has been cancelled. */
export async function keepLease(db: Database, trainer: Trainer, hold: Hold): Promise<{ stop: boolean }> {
  const run = await heldRun(db, trainer, hold);
  await noteSeen(db, trainer);
  await changeHeld(db, trainer, hold, { leasedUntil: leaseEnd, state: 'running' });
  // By the clock of the trainer, which may be another than ours: as far as its last checkpoint.
  const { wallMinutes } = (run.spec as JobSpec).resources;
  const isOutOfTime =
    wallMinutes !== null && (await RunClock.open(db, run.id)).spentMs() >= wallMinutes * 60_000;
  if (isOutOfTime || !run.jobId) return { stop: isOutOfTime };
  const [job] = await db
    .select({ cancelRequested: jobs.cancelRequested })
    .from(jobs)
    .where(eq(jobs.id, run.jobId));
  return { stop: job?.cancelRequested ?? false };
}

/**
 * Gives a run back that was stopped with a checkpoint, so that another trainer goes on at once; or one whose process was
 * lost without a verdict, which counts: it is restarted as often as its spec allows.
 */
export async function giveBack(
  db: Database,
  trainer: Trainer,
  hold: Hold,
  { lost = false }: { lost?: boolean } = {},
): Promise<void> {
  await db.transaction(async (tx) => {
    await heldRun(tx, trainer, hold, { lock: true });
    // It is nobody's from here on: a heartbeat that was on its way must not hold it for another lease.
    const nobodys = { trainer: null } as const;
    await changeHeld(
      tx,
      trainer,
      hold,
      lost ? { ...nobodys, leasedUntil: past } : { ...nobodys, leasedUntil: null, state: 'queued' },
    );
  });
}

/** The verdict; who supervises the run acts on it. One that was merely stopped has none. */
export async function receiveVerdict(
  db: Database,
  trainer: Trainer,
  hold: Hold,
  result: RunResult,
): Promise<void> {
  if (result.state === 'preempted') return giveBack(db, trainer, hold);
  if (result.error?.type === RANK_LOST) return giveBack(db, trainer, hold, { lost: true });
  await db.transaction(async (tx) => {
    await heldRun(tx, trainer, hold, { lock: true });
    await changeHeld(tx, trainer, hold, { leasedUntil: null, result });
  });
}

/** A lease that is over at once. */
const past = sql`now() - interval '1 second'`;

type Change = {
  leasedUntil: SQL | null;
  trainer?: null;
  state?: 'running' | 'queued';
  result?: RunResult;
};

async function changeHeld(
  db: Db,
  { name }: Trainer,
  { runId, attempt }: Hold,
  change: Change,
): Promise<void> {
  const isIts = and(eq(runs.id, runId), eq(runs.attempt, attempt), eq(runs.trainer, name));
  await db
    .update(runs)
    .set(change)
    .where(and(isIts, sql`${runs.state} in ('queued', 'running')`));
}
