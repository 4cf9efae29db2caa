import { and, asc, count, eq, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, tables } from '@/db';
import type { Author, UserActor } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { formatCount } from '@/lib/core/format';
import type { JobSpec } from '@/lib/core/training-spec';
import { record } from '@/lib/services/activity';
import type { Capabilities, LauncherKind } from '../launch';
import { missingForSlurm } from '../launch/slurm-script';
import { type Machine, misfit } from './calibration';

const { projects, runs, trainers } = tables;

/** A trainer is gone after two missed heartbeats, one per minute. */
const GONE_SECONDS = 120;

/** More than a page can show. */
const MOST = 1000;

export interface TrainerView {
  id: string;
  name: string;
  kind: LauncherKind;
  capabilities: Partial<Capabilities>;
  state: 'idle' | 'training' | 'gone';
  run: { id: string; name: string; project: string } | null;
  seenAt: Date;
  createdAt: Date;
}

/** The machines that train, those that are there first. One statement. */
export async function listTrainers(db: Db): Promise<TrainerView[]> {
  const isGone = sql<boolean>`${trainers.seenAt} < now() - make_interval(secs => ${GONE_SECONDS})`;
  const atIt = db
    .selectDistinctOn([runs.launcher, runs.trainer], {
      launcher: runs.launcher,
      trainer: runs.trainer,
      runId: runs.id,
      runName: runs.name,
      project: projects.slug,
    })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(
      and(
        eq(runs.state, 'running'),
        or(sql`${runs.launcher} <> 'remote'`, sql`${runs.leasedUntil} >= now()`),
      ),
    )
    .orderBy(runs.launcher, runs.trainer, sql`${runs.startedAt} desc`)
    .as('at_it');
  const rows = await db
    .select({
      id: trainers.id,
      name: trainers.name,
      kind: trainers.kind,
      capabilities: sql<Partial<Capabilities>>`${trainers.capabilities}`,
      isGone,
      runId: atIt.runId,
      runName: atIt.runName,
      project: atIt.project,
      seenAt: trainers.seenAt,
      createdAt: trainers.createdAt,
    })
    .from(trainers)
    .leftJoin(
      atIt,
      and(
        eq(atIt.launcher, trainers.kind),
        // Slurm chooses the node itself.
        or(eq(atIt.trainer, trainers.name), eq(trainers.kind, 'slurm')),
      ),
    )
    .orderBy(isGone, asc(trainers.kind), asc(trainers.name))
    .limit(MOST);
  return rows.map(({ isGone: gone, runId, runName, project, ...row }) => {
    const run = runId && runName && project ? { id: runId, name: runName, project } : null;
    return { ...row, run, state: gone ? 'gone' : run ? 'training' : 'idle' };
  });
}

interface Noted {
  /** One row a name: that of the machine, or what its owner calls it. */
  name: string;
  kind: LauncherKind;
  /** The key a trainer elsewhere signs in with. */
  keyId?: string | null;
  capabilities: Capabilities;
}

/**
 * Null: the name belongs to a machine of another kind or key. Writes down that a machine that trains was heard of, and what it can do. What was measured on it (`rates`) stays:
 * capabilities are merged into those that are known.
 */
export async function recordTrainer(db: Database, { name, kind, keyId = null, capabilities }: Noted) {
  const [row] = await db
    .insert(trainers)
    .values({ name, kind, keyId, capabilities: { ...capabilities } })
    .onConflictDoUpdate({
      target: trainers.name,
      // A machine elsewhere whose key was removed is free to be entered with another.
      setWhere: sql`${trainers.kind} = ${kind} and coalesce(${trainers.keyId} = ${keyId}, true)`,
      set: {
        keyId,
        capabilities: sql`${trainers.capabilities} || excluded.capabilities`,
        seenAt: sql`now()`,
      },
    })
    .returning({ id: trainers.id, name: trainers.name });
  return row ?? null;
}

/** Forgets a machine that is gone; one that is there would be back within a minute. Its runs stay. */
export async function removeTrainer(db: Database, actor: Author, trainerId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(trainers)
      .where(
        and(
          eq(trainers.id, trainerId),
          sql`${trainers.seenAt} < now() - make_interval(secs => ${GONE_SECONDS})`,
        ),
      )
      .returning({ name: trainers.name, kind: trainers.kind });
    if (gone) {
      await record(tx, {
        actor,
        verb: 'trainer.remove',
        subject: 'trainer',
        subjectId: trainerId,
        detail: gone,
      });
      return;
    }
    const [there] = await tx.select({ name: trainers.name }).from(trainers).where(eq(trainers.id, trainerId));
    if (!there) throw notFound('trainer');
    throw conflict(
      `${there.name} is still there. Stop its agent or revoke its key; it can be removed two minutes later.`,
    );
  });
}

export interface Place {
  kind: LauncherKind;
  label: string;
  /** Somebody could begin with it now or once a run has ended. */
  fits: boolean;
  /** What is there, or why nothing there fits. */
  description: string;
}

/** Where a run could train: this instance, Slurm, machines elsewhere; with what fits, or why not. */
export async function placesFor(db: Db, resources: JobSpec['resources']): Promise<Place[]> {
  const there = (await listTrainers(db)).filter(({ state }) => state !== 'gone');
  const of = (kind: LauncherKind) => there.filter((trainer) => trainer.kind === kind);
  const slurm = of('slurm')[0]?.capabilities.missing ?? missingForSlurm();
  return [
    {
      kind: 'local',
      label: 'This machine',
      ...judge(of('local'), resources, 'no worker has told yet what it has'),
    },
    {
      kind: 'slurm',
      label: 'Slurm',
      fits: slurm === null,
      description: slurm ?? 'Waits in the queue of Slurm until nodes are free.',
    },
    {
      kind: 'remote',
      label: 'Elsewhere',
      ...judge(
        of('remote'),
        resources,
        'no machine elsewhere is there; an admin adds one under Instance, Workers',
      ),
    },
  ];
}

function judge(trainers: TrainerView[], resources: JobSpec['resources'], none: string) {
  if (trainers.length === 0) return { fits: false, description: `The run would wait: ${none}.` };
  const reasons = trainers.map(({ name, capabilities }) => ({
    name,
    why: capabilities.missing ? 'it has no PyTorch' : misfit(machineOf(capabilities), resources),
  }));
  const fitting = reasons.filter(({ why }) => why === null).map(({ name }) => name);
  if (fitting.length > 0) {
    const free = trainers.filter(({ name, state }) => state === 'idle' && fitting.includes(name)).length;
    return { fits: true, description: `${fitting.join(', ')}: ${formatCount(free, 'machine')} free now.` };
  }
  return {
    fits: false,
    description: `The run would wait: ${reasons.map(({ name, why }) => `${name}: ${why}`).join('; ')}.`,
  };
}

const machineOf = ({ torch = null, gpus = [], memoryGb = 0 }: TrainerView['capabilities']): Machine => ({
  torch,
  gpus,
  memoryGb,
});

export const TrainerFacts = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'letters, digits, dots, dashes and underscores, at most 63'),
  capabilities: z.object({
    python: z.string().max(500).nullable(),
    torch: z.string().max(80).nullable(),
    gpus: z.array(z.object({ name: z.string().max(200), memoryGb: z.number().min(0) })).max(64),
    processors: z.number().int().min(1).max(100_000),
    memoryGb: z.number().min(0).max(1_000_000),
    missing: z.string().max(500).nullable(),
  }),
});
export type TrainerFacts = z.infer<typeof TrainerFacts>;

/** Enters a machine elsewhere that asks for runs, or notes that it is there again. A name belongs to a key. */
export async function enrolTrainer(
  db: Database,
  actor: UserActor,
  { name, capabilities }: TrainerFacts,
): Promise<{ id: string; name: string }> {
  if (actor.via !== 'key') throw invalid('A trainer signs in with an API key.');
  const [known] = await db.select({ id: trainers.id }).from(trainers).where(eq(trainers.name, name));
  if (!known) await refuseTooMany(db, actor.credentialId);
  const entered = await recordTrainer(db, { name, kind: 'remote', keyId: actor.credentialId, capabilities });
  if (!entered) throw conflict(`Another machine is called ${name}: choose another name, or remove it first.`);
  if (!known)
    await record(db, {
      actor,
      verb: 'trainer.add',
      subject: 'trainer',
      subjectId: entered.id,
      detail: { name, torch: capabilities.torch, gpus: capabilities.gpus.length },
    });
  return entered;
}

/** Maximum number of machines per key, so that a stolen key cannot fill the list. */
const MAX_NAMES = 100;

async function refuseTooMany(db: Database, keyId: string): Promise<void> {
  const [held] = await db.select({ n: count() }).from(trainers).where(eq(trainers.keyId, keyId));
  if ((held?.n ?? 0) >= MAX_NAMES)
    throw conflict(`This key has entered ${MAX_NAMES} machines: remove those that are gone.`);
}
