import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { conflict, invalid, TesseraError } from '@/lib/core/errors';
import { type JobSpec, trainingPreset } from '@/lib/core/training-spec';
import { enqueue } from '@/lib/services/jobs';
import { type Capabilities, trainerEnvironment } from '../launch/launcher';
import { capabilitiesHere, trainerFolder } from '../launch/python';
import { recordThisMachine } from './installation';

const { jobs, runs, trainers } = tables;

export const CALIBRATE_JOB = 'calibrate-trainer';

/** Images a second, as one minute of training on noise showed on a machine. */
const Measured = z.object({
  clean: z.number().positive(),
  adversarial: z.number().positive(),
  device: z.string(),
  threads: z.number().int(),
  /** When it was measured. */
  at: z.coerce.date(),
});
type Measured = z.infer<typeof Measured>;

/** What is measured: the network and the size of its pictures decide how fast a step is. */
const rateKey = ({ model, data }: Pick<JobSpec, 'model' | 'data'>): string =>
  `${model.backbone}@${data.size}`;

export interface Calibration extends Measured {
  /** The machine. */
  name: string;
}

/** The newest measurement of networks of this size on a machine of this instance. */
export async function readCalibration(
  db: Db,
  spec: Pick<JobSpec, 'model' | 'data'>,
): Promise<Calibration | null> {
  const rows = await db
    .select({ name: trainers.name, capabilities: trainers.capabilities })
    .from(trainers)
    .where(eq(trainers.kind, 'local'));
  const found = rows.flatMap(({ name, capabilities }) => {
    const rates = capabilities.rates as Record<string, unknown> | undefined;
    const { data } = Measured.safeParse(rates?.[rateKey(spec)]);
    return data ? [{ name, ...data }] : [];
  });
  return found.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0] ?? null;
}

/** Starts to measure; not beside a run, which would make both look slow. */
export async function startCalibration(
  db: Database,
  actor: Author,
  { preset, projectId }: { preset: string; projectId?: string },
): Promise<{ jobId: string }> {
  const [busy] = await db
    .select({ name: runs.name })
    .from(runs)
    .where(and(eq(runs.launcher, 'local'), eq(runs.state, 'running')))
    .limit(1);
  if (busy) throw conflict(`${busy.name} trains on this machine. Measure when it is over.`);
  return db.transaction(async (tx) => ({
    jobId: await enqueue(
      tx,
      CALIBRATE_JOB,
      { preset },
      { title: `Measure how fast ${preset} trains`, projectId, startedBy: actorId(actor) },
    ),
  }));
}

/** Whether it is being measured at the moment. */
export async function isCalibrating(db: Db): Promise<boolean> {
  const [job] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.kind, CALIBRATE_JOB), inArray(jobs.state, ['queued', 'running', 'retrying'])))
    .limit(1);
  return job !== undefined;
}

export type Machine = Pick<Capabilities, 'torch' | 'gpus' | 'memoryGb'>;

/** Why a machine cannot train what a spec asks for; null where it can. */
export function misfit({ torch, gpus, memoryGb }: Machine, asked: JobSpec['resources']): string | null {
  if (torch === null) return 'it has no PyTorch';
  const wanted = asked.device === 'cuda' ? Math.max(1, asked.gpus) : asked.device === 'cpu' ? 0 : asked.gpus;
  if (gpus.length < wanted)
    return gpus.length === 0 ? 'it has no GPU' : `it has ${gpus.length} of ${wanted} GPUs`;
  if (asked.nodes > 1) return `it is one machine, ${asked.nodes} are asked for`;
  if (asked.memoryGb !== null && memoryGb < asked.memoryGb)
    return `it has ${memoryGb} GB of memory, ${asked.memoryGb} are asked for`;
  return null;
}

const run = promisify(execFile);

/** Two classes of three parts, as many as make a step what it usually is. */
const manifest = {
  schema: 'tessera-snapshot/1',
  classes: ['one', 'two'],
  parts: [0, 0, 0, 1, 1, 1].map((of, index) => ({ name: `part ${index}`, class: of })),
};

const Told = z.object({
  device: z.string(),
  threads: z.number().int(),
  stages: z.array(z.object({ method: z.string(), imagesPerSecond: z.number().positive() })),
});

interface Options {
  preset: string;
  seconds?: number;
  signal?: AbortSignal;
}

/** Measures how fast this machine trains networks of a preset, without and with an attack, and writes it down. */
export async function calibrate(
  db: Database,
  { preset: id, seconds = 60, signal }: Options,
): Promise<Measured & { key: string }> {
  const preset = trainingPreset(id);
  if (!preset) throw invalid(`There is no preset "${id}".`);
  const { python, missing } = await capabilitiesHere();
  if (!python) throw new TesseraError('invalid', missing ?? 'PyTorch is missing.');
  const arch = preset.archs.includes('downsampled') ? 'downsampled' : (preset.archs[0] ?? 'baseline');
  const snapshot = `sha256:${'0'.repeat(64)}`;
  const spec = preset.make({ arch, method: 'pgd', id: 'calibration', snapshot, seed: 0 });
  // Whatever the preset was made for, it is this machine that is measured.
  const here = { ...spec, resources: { ...spec.resources, device: 'auto' as const } };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-calibrate-'));
  try {
    await writeFile(path.join(folder, 'job.json'), JSON.stringify(here));
    await writeFile(path.join(folder, 'data.json'), JSON.stringify({ path: folder }));
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(path.join(folder, 'splits.u8'), Buffer.alloc(1));
    const { stdout } = await run(
      python,
      ['-m', 'tessera_trainer.calibrate', folder, '--seconds', String(seconds)],
      {
        cwd: trainerFolder,
        signal,
        env: { ...(trainerEnvironment() as NodeJS.ProcessEnv), PYTHONDONTWRITEBYTECODE: '1' },
      },
    );
    const told = Told.parse(JSON.parse(stdout));
    const rate = (isClean: boolean) =>
      told.stages.find(({ method }) => (method === 'clean') === isClean)?.imagesPerSecond ?? 0;
    const measured: Measured = {
      clean: rate(true),
      adversarial: rate(false),
      device: told.device,
      threads: told.threads,
      at: new Date(),
    };
    await keep(db, rateKey(spec), measured);
    return { ...measured, key: rateKey(spec) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function keep(db: Database, key: string, measured: Measured): Promise<void> {
  await recordThisMachine(db);
  const { capabilities } = trainers;
  await db
    .update(trainers)
    .set({
      capabilities: sql`${capabilities} || jsonb_build_object('rates',
        coalesce(${capabilities} -> 'rates', '{}'::jsonb) || ${JSON.stringify({ [key]: measured })}::jsonb)`,
    })
    .where(eq(trainers.name, os.hostname()));
}
