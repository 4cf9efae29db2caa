import os from 'node:os';
import type { Database } from '@/db';
import { log } from '@/lib/services/observability/log';
import { capabilitiesHere } from '../launch/python';
import { slurmLauncher } from '../launch/slurm';
import { slurmPartition } from '../launch/slurm-settings';
import { offerInstallation } from './installation';
import { noteTrainer } from './note-trainer';

/** What a worker tells about its machine, and about the Slurm it can reach. */
export async function noteThisMachine(db: Database): Promise<void> {
  const capabilities = await capabilitiesHere();
  const noted = await noteTrainer(db, { name: os.hostname(), kind: 'local', capabilities });
  if (!noted) log.warn({ name: os.hostname() }, 'a trainer elsewhere has the name of this machine');
  await offerInstallation(db, capabilities);
  const partition = slurmPartition();
  if (partition)
    await noteTrainer(db, {
      name: `slurm:${partition}`,
      kind: 'slurm',
      capabilities: await slurmLauncher.capabilities(),
    });
}
