import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, tables } from '@/db';
import { invalid, TesseraError } from '@/lib/core/errors';
import { trainingPreset } from '@/lib/core/training-spec';
import { trainerEnvironment } from '../launch/environment';
import { capabilitiesHere, trainerFolder } from '../launch/python';
import { type Measured, rateKey } from './calibration';
import { noteThisMachine } from './note-this-machine';

const { trainers } = tables;
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
  await noteThisMachine(db);
  const { capabilities } = trainers;
  await db
    .update(trainers)
    .set({
      capabilities: sql`${capabilities} || jsonb_build_object('rates',
        coalesce(${capabilities} -> 'rates', '{}'::jsonb) || ${JSON.stringify({ [key]: measured })}::jsonb)`,
    })
    .where(eq(trainers.name, os.hostname()));
}
