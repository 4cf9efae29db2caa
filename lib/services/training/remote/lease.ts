import { and, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';

const { runs, trainers } = tables;

/** A trainer elsewhere that is silent for so long is given up: its run is offered to others. */
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
