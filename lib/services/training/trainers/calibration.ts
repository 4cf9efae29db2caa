import { and, eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { conflict } from '@/lib/core/errors';
import type { JobSpec } from '@/lib/core/training-spec';
import { enqueue } from '@/lib/services/jobs';

const { jobs, runs, trainers } = tables;

export const CALIBRATE_JOB = 'calibrate-trainer';

/** Images a second, as one minute of training on noise showed on a machine. */
export const Measured = z.object({
  clean: z.number().positive(),
  adversarial: z.number().positive(),
  device: z.string(),
  threads: z.number().int(),
  /** When it was measured. */
  at: z.coerce.date(),
});
export type Measured = z.infer<typeof Measured>;

/** What is measured: the network and the size of its pictures decide how fast a step is. */
export const rateKey = ({ model, data }: Pick<JobSpec, 'model' | 'data'>): string =>
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
