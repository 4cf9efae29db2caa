import type { tables } from '@/db';
import type { Launcher } from './launcher';
import { localLauncher } from './local';
import { remoteLauncher } from './remote';
import { slurmLauncher } from './slurm';

export type { Capabilities, Handle, Launcher, Status } from './launcher';
export type LauncherKind = (typeof tables.launcherKinds)[number];

/** How a run gets a process. */
const launchers: Record<LauncherKind, Launcher> = {
  local: localLauncher,
  slurm: slurmLauncher,
  remote: remoteLauncher,
};

export const launcherOf = (run: { launcher: LauncherKind }): Launcher => launchers[run.launcher];
