import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const packages = ['slurmctld', 'slurmd', 'slurm-client', 'munge'];

/** What has to be done before a Slurm of one node can be started here. */
export function missing(): string | null {
  if (process.getuid?.() !== 0) return 'Slurm starts processes for others: run this as root.';
  const absent = ['slurmctld', 'slurmd', 'munged'].filter(
    (name) => !['/usr/sbin', '/usr/bin', '/usr/local/sbin'].some((dir) => existsSync(path.join(dir, name))),
  );
  return absent.length === 0
    ? null
    : `There is no ${absent.join(', no ')} here. Install them: apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

/** A Slurm of its own in a folder, with ports, keys and sockets of its own; gives what ends it. */
export async function startOneNode(folder: string): Promise<() => void> {
  for (const name of ['munge', 'state', 'spool']) mkdirSync(path.join(folder, name), { recursive: true });
  const at = (...names: string[]) => path.join(folder, ...names);
  writeFileSync(at('munge', 'key'), randomBytes(128), { mode: 0o600 });
  chmodSync(at('munge'), 0o755);
  const munge = ['key-file', 'socket', 'pid-file', 'log-file', 'seed-file'].map(
    (name) => `--${name}=${at('munge', name.split('-')[0] as string)}`,
  );
  const children = [spawn('munged', ['--foreground', '--force', ...munge], { stdio: 'ignore' })];
  writeFileSync(at('slurm.conf'), configuration(folder));
  process.env.SLURM_CONF = at('slurm.conf');
  await until(() => existsSync(at('munge', 'socket')), 'munged does not start');
  for (const name of ['slurmctld', 'slurmd']) {
    children.push(spawn(name, ['-D', '-f', at('slurm.conf')], { stdio: 'ignore' }));
    await sleep(1000);
  }
  await until(
    () => execFileSync('sinfo', ['--noheader', '--format=%T'], { encoding: 'utf8' }).trim() === 'idle',
    `the node does not come up, see ${at('slurmctld.log')}`,
  );
  return () => {
    for (const child of children.reverse()) child.kill('SIGTERM');
  };
}

function configuration(folder: string): string {
  const host = os.hostname().split('.')[0];
  const megabytes = Math.floor(os.totalmem() / 2 ** 20 / 2);
  return `ClusterName=verify
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
# A job that is begun anew waits until its old credential has run out: two minutes, were this not here.
AuthInfo=socket=${path.join(folder, 'munge', 'socket')},cred_expire=10
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
StateSaveLocation=${path.join(folder, 'state')}
SlurmdSpoolDir=${path.join(folder, 'spool')}
SlurmctldPidFile=${path.join(folder, 'slurmctld.pid')}
SlurmdPidFile=${path.join(folder, 'slurmd.pid')}
SlurmctldLogFile=${path.join(folder, 'slurmctld.log')}
SlurmdLogFile=${path.join(folder, 'slurmd.log')}
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${os.availableParallelism()} RealMemory=${megabytes} State=UNKNOWN
PartitionName=train Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}

async function until(holds: () => boolean, message: string): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    try {
      if (holds()) return;
    } catch {
      // Not there yet.
    }
    await sleep(500);
  }
  throw new Error(message);
}

/** The number that Slurm gave a run. */
export const jobIdOf = (runFolder: string): string =>
  JSON.parse(readFileSync(path.join(runFolder, 'slurm.json'), 'utf8')).jobId;
