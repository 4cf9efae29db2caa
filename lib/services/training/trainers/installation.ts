import os from 'node:os';
import { desc, eq, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { readConfig } from '@/lib/config';
import { enqueue } from '@/lib/services/jobs';
import { log } from '@/lib/services/observability/log';
import type { Capabilities } from '../launch';
import { capabilitiesHere } from '../launch/python';
import { slurmLauncher } from '../launch/slurm';
import { slurmPartition } from '../launch/slurm-script';
import { recordTrainer } from './list-trainers';

const { jobs, settings } = tables;

export const INSTALL_JOB = 'install-trainer';

/**
 * At the first start on a machine that cannot train, PyTorch is fetched beside everything else. Once: whoever stopped it,
 * or saw it fail, decides what comes next. A Python that somebody named is theirs to look after.
 */
export async function offerInstallation(db: Database, { missing }: Capabilities): Promise<boolean> {
  const { TESSERA_TRAINER_INSTALL, TESSERA_PYTHON } = readConfig();
  if (!missing || TESSERA_TRAINER_INSTALL === 'off' || TESSERA_PYTHON) return false;
  return db.transaction(async (tx) => {
    const [first] = await tx
      .insert(settings)
      .values({ key: 'trainer.installOffered', value: sql`to_jsonb(now())` })
      .onConflictDoNothing()
      .returning({ key: settings.key });
    if (!first) return false;
    await enqueue(tx, INSTALL_JOB, {}, { title: 'Install PyTorch, for training' });
    return true;
  });
}

interface Installation {
  jobId: string;
  state: 'queued' | 'running' | 'retrying' | 'done' | 'failed' | 'cancelled';
  text: string;
  done: number;
  total: number | null;
  error: string | null;
}

/** The newest installation there was. */
export async function readInstallation(db: Db): Promise<Installation | null> {
  const [job] = await db
    .select({
      jobId: jobs.id,
      state: jobs.state,
      text: jobs.text,
      done: jobs.done,
      total: jobs.total,
      error: jobs.error,
    })
    .from(jobs)
    .where(eq(jobs.kind, INSTALL_JOB))
    .orderBy(desc(jobs.id))
    .limit(1);
  return job ?? null;
}

type AtIt = Installation & { state: 'queued' | 'running' | 'retrying' };

export const isInstalling = (found: Installation | null): found is AtIt =>
  found !== null && (found.state === 'queued' || found.state === 'running' || found.state === 'retrying');

/** What a worker tells about its machine, and about the Slurm it can reach. */
export async function recordThisMachine(db: Database): Promise<void> {
  const capabilities = await capabilitiesHere();
  const noted = await recordTrainer(db, { name: os.hostname(), kind: 'local', capabilities });
  if (!noted) log.warn({ name: os.hostname() }, 'a trainer elsewhere has the name of this machine');
  await offerInstallation(db, capabilities);
  const partition = slurmPartition();
  if (partition)
    await recordTrainer(db, {
      name: `slurm:${partition}`,
      kind: 'slurm',
      capabilities: await slurmLauncher.capabilities(),
    });
}
