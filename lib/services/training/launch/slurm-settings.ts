import { existsSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '@/lib/config';

/** The partition that trains, where the operator has named one. */
export const slurmPartition = (): string | null => readConfig().TESSERA_SLURM ?? null;

/** Further options of sbatch that a site needs: an account, a quality of service. */
export const slurmOptions = (): string[] =>
  readConfig().TESSERA_SLURM_OPTIONS?.split(/\s+/).filter(Boolean) ?? [];

/** What keeps this machine from handing runs to Slurm, as something to do about it. */
export function missingForSlurm(): string | null {
  if (!slurmPartition())
    return 'Slurm is not set up here: set TESSERA_SLURM to a partition, with TESSERA_HOME on a disk that its nodes share.';
  if (!onPath('sbatch'))
    return 'TESSERA_SLURM is set, but there is no sbatch on the PATH. Install the commands of Slurm (on Debian: apt-get install slurm-client).';
  return null;
}

const onPath = (command: string): boolean =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .some((folder) => folder !== '' && existsSync(path.join(folder, command)));
