import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { type Capabilities, type Launcher, type Status, slurmEnvironment } from './launcher';
import { capabilitiesHere, trainerFolder } from './python';
import {
  batchScript,
  DEFAULT_PARTITION,
  jobName,
  missingForSlurm,
  type Nodes,
  readNodes,
  readNumberOf,
  readQueueLine,
  sbatchOptions,
  slurmOptions,
  slurmPartition,
  statusOf,
} from './slurm-script';

const run = promisify(execFile);

/** Written beside the job: the number that Slurm gave it. */
const HANDLE = 'slurm.json';
const INSIST_MS = 60_000;
/** One controller serves a whole site: it is not asked at every look. */
const ASK_MS = 3_000;
const ANSWER_MS = 30_000;

/** A batch job of Slurm. The folder of the run lies on a disk that the nodes share. */
export const slurmLauncher: Launcher = {
  outlivesWorker: true,
  speaksItself: false,
  trainer: 'Slurm',

  async capabilities() {
    const missing = missingForSlurm();
    if (missing) return { ...nothing, missing };
    try {
      const { processors, memoryGb, gpus } = await nodesOf();
      return {
        python: await pythonOfNodes(),
        torch: null,
        gpus: Array.from({ length: gpus }, () => ({ name: 'GPU', memoryGb: 0 })),
        processors,
        memoryGb,
        missing: null,
      };
    } catch (error) {
      return { ...nothing, missing: `Slurm does not answer: ${saidBy(error)}` };
    }
  },

  async submit(folder, resources) {
    const job = {
      runId: path.basename(folder),
      folder,
      python: await pythonOfNodes(),
      trainer: trainerFolder,
      attempt: await attemptOf(folder),
      resources,
      nodes: await nodesOf(),
      partition: slurmPartition() ?? DEFAULT_PARTITION,
      options: slurmOptions(),
    };
    const script = path.join(folder, 'slurm.sh');
    await writeFile(script, batchScript(job));
    try {
      const { stdout } = await slurm('sbatch', [...sbatchOptions(job), script]);
      // "1234" or "1234;cluster".
      const jobId = stdout.trim().split(';')[0] ?? '';
      if (!/^\d+$/.test(jobId)) throw new Error(`"${stdout.trim()}" is no number of a job`);
      await writeFile(path.join(folder, HANDLE), JSON.stringify({ jobId }));
    } catch (error) {
      throw refusalOf(error);
    }
    return { name: folder };
  },

  async adopt(folder) {
    const status = await slurmLauncher.status({ name: folder }).catch(() => null);
    if (status && status.state !== 'gone') return { name: folder };
    // A controller that was slow to answer may have taken it nevertheless.
    const jobId = await jobIdByName(folder);
    if (jobId === null) return null;
    await writeFile(path.join(folder, HANDLE), JSON.stringify({ jobId }));
    return { name: folder };
  },

  async status({ name: folder }): Promise<Status> {
    const last = known.get(folder);
    if (last && performance.now() - last.at < ASK_MS) return last.status;
    const status = await ask(folder, await jobIdOf(folder));
    if (status.state === 'gone') known.delete(folder);
    else known.set(folder, { at: performance.now(), status });
    return status;
  },

  async stop({ name: folder }) {
    const jobId = await jobIdOf(folder);
    known.delete(folder);
    // What waits has no process to tell.
    const isRunning = (await ask(folder, jobId)).state === 'running';
    if (isRunning) await slurm('scancel', ['--signal=TERM', jobId]);
    else await slurm('scancel', [jobId]);
    const until = performance.now() + INSIST_MS;
    while ((await slurmLauncher.status({ name: folder })).state !== 'gone') {
      if (performance.now() > until) await slurm('scancel', [jobId]);
      await sleep(ASK_MS);
    }
  },
};

const nothing: Omit<Capabilities, 'missing'> = {
  python: null,
  torch: null,
  gpus: [],
  processors: 0,
  memoryGb: 0,
};

/** Last known state of a job, by its folder. */
const known = new Map<string, { at: number; status: Status }>();

async function ask(folder: string, jobId: string): Promise<Status> {
  try {
    const { stdout } = await slurm('squeue', ['--noheader', `--jobs=${jobId}`, '--format=%j|%T|%r']);
    const line = readQueueLine(stdout);
    // Slurm reuses job numbers.
    return statusOf(line?.name === jobName(path.basename(folder)) ? line : null);
  } catch (error) {
    // A job that has ended is forgotten after some minutes; a controller that is away has forgotten nothing.
    if (/invalid job id/i.test(saidBy(error))) return { state: 'gone', code: null };
    return { state: 'queued', text: `Slurm does not answer: ${saidBy(error)}` };
  }
}

/** The number of a job of this name that waits or runs. */
async function jobIdByName(folder: string): Promise<string | null> {
  const name = jobName(path.basename(folder));
  try {
    const { stdout } = await slurm('squeue', ['--noheader', `--name=${name}`, '--format=%j|%T|%r|%A']);
    return readNumberOf(stdout, name);
  } catch (error) {
    throw new TesseraError('unavailable', `Slurm does not answer: ${saidBy(error)}`);
  }
}

async function nodesOf(): Promise<Nodes> {
  const partition = slurmPartition();
  const only = partition && partition !== DEFAULT_PARTITION ? [`--partition=${partition}`] : [];
  const { stdout } = await slurm('sinfo', ['--noheader', ...only, '--format=%c|%m|%G']);
  const nodes = readNodes(stdout);
  if (!nodes) throw new Error(`the partition ${partition} has no nodes`);
  return nodes;
}

/** A head node need not have PyTorch itself: what it cannot find here is looked for on the nodes. */
async function pythonOfNodes(): Promise<string> {
  return readConfig().TESSERA_PYTHON ?? (await capabilitiesHere()).python ?? '/usr/bin/python3';
}

async function attemptOf(folder: string): Promise<number> {
  return (JSON.parse(await readFile(path.join(folder, 'lease.json'), 'utf8')) as { attempt: number }).attempt;
}

async function jobIdOf(folder: string): Promise<string> {
  return (JSON.parse(await readFile(path.join(folder, HANDLE), 'utf8')) as { jobId: string }).jobId;
}

const slurm = (command: string, args: string[]) =>
  run(command, args, { env: slurmEnvironment() as NodeJS.ProcessEnv, timeout: ANSWER_MS });

function saidBy(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return (stderr?.trim() || message || String(error)).split('\n').slice(-2).join(' ');
}

/** A controller that is away comes back; what it refuses it refuses again. */
function refusalOf(error: unknown): TesseraError {
  const said = saidBy(error);
  // Killed by us: it did not answer in time.
  const { killed } = error as { killed?: boolean };
  return killed || /contact|connect|timed out|timeout|socket/i.test(said)
    ? new TesseraError('unavailable', `Slurm does not answer: ${said}`)
    : new TesseraError('invalid', `Slurm did not take the run: ${said}`);
}
