import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TesseraError } from '@/lib/core/errors';
import { type Launcher, type Status, trainerEnvironment } from './launcher';
import { capabilitiesHere, forgetCapabilities, trainerFolder } from './python';

/** Written beside the job: who takes it over knows which processes are at it. */
const HANDLE = 'process.json';
const INSIST_MS = 60_000;
/** So long ranks may take to notice that one of them is gone; a library of theirs may wait for ever. */
const NOTICE_MS = 60_000;

interface Processes {
  host: string;
  pids: number[];
  /** When each began: another process may have its number by now. */
  startedAt: (string | null)[];
}

interface Started {
  pid: number;
  startedAt: string | null;
}

/** When a rank was first seen to have failed, by the folder of its job. */
const fallen = new Map<string, number>();

/** Exit codes of processes that this process has started, by number and birth. */
const ended = new Map<string, number | null>();
const keyOf = ({ pid, startedAt }: Started): string => `${pid}@${startedAt}`;

/** A process of this machine, or one for each GPU, which find each other by environment variables. */
export const localLauncher: Launcher = {
  outlivesWorker: false,
  speaksItself: false,
  trainer: os.hostname(),
  capabilities: capabilitiesHere,

  async submit(folder, resources) {
    const { python, missing, gpus } = await capabilitiesHere();
    if (!python) throw new TesseraError('unavailable', missing ?? 'PyTorch is missing.');
    const ranks = Math.max(1, Math.min(resources.gpus, gpus.length || resources.gpus));
    const port = ranks > 1 ? await freePort() : 0;
    const env = await attemptOf(folder);
    const started = Array.from({ length: ranks }, (_, rank) =>
      start(python, folder, ranks > 1 ? { ...env, ...rankOf(rank, ranks, port) } : env),
    );
    const processes: Processes = {
      host: os.hostname(),
      pids: started.map(({ pid }) => pid),
      startedAt: started.map(({ startedAt }) => startedAt),
    };
    await writeFile(path.join(folder, HANDLE), JSON.stringify(processes));
    return { name: folder };
  },

  async adopt(folder) {
    const status = await localLauncher.status({ name: folder }).catch(() => null);
    return status?.state === 'running' ? { name: folder } : null;
  },

  async status({ name }): Promise<Status> {
    const started = await startedHere(name);
    if (started.some(isAlive)) {
      endForsaken(name, started);
      return { state: 'running' };
    }
    const [first] = started;
    return { state: 'gone', code: (first && ended.get(keyOf(first))) ?? null };
  },

  async stop({ name }) {
    const started = await startedHere(name);
    signal(started, 'SIGTERM');
    for (const until = performance.now() + INSIST_MS; started.some(isAlive); await sleep(100))
      if (performance.now() > until) signal(started, 'SIGKILL');
  },
};

/** Of ranks that depend on each other, those that go on waiting for one that is gone. */
function endForsaken(folder: string, started: readonly Started[]): void {
  if (!started.some((each) => ended.has(keyOf(each)) && ended.get(keyOf(each)) !== 0)) {
    fallen.delete(folder);
    return;
  }
  const since = fallen.get(folder) ?? performance.now();
  fallen.set(folder, since);
  if (performance.now() - since > NOTICE_MS) signal(started, 'SIGKILL');
}

function start(python: string, folder: string, env: Record<string, string>): Started {
  const log = openSync(path.join(folder, 'log.txt'), 'a');
  const child = spawn(python, ['-m', 'tessera_trainer', folder], {
    cwd: trainerFolder,
    env: {
      ...(trainerEnvironment() as NodeJS.ProcessEnv),
      PYTHONPATH: trainerFolder,
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      ...env,
    },
    stdio: ['ignore', log, log],
    // A worker that is stopped with Ctrl-C must not take the trainer along before it has a checkpoint.
    detached: true,
  });
  closeSync(log);
  child.unref();
  const { pid } = child;
  child.on('error', () => {});
  if (pid === undefined) {
    // It was there an hour ago at most.
    forgetCapabilities();
    throw new TesseraError('unavailable', `${python} could not be started.`);
  }
  const started = { pid, startedAt: processStartTime(pid) };
  ended.delete(keyOf(started));
  child.once('exit', (code) => ended.set(keyOf(started), code));
  return started;
}

const rankOf = (rank: number, ranks: number, port: number): Record<string, string> => ({
  RANK: String(rank),
  LOCAL_RANK: String(rank),
  WORLD_SIZE: String(ranks),
  LOCAL_WORLD_SIZE: String(ranks),
  MASTER_ADDR: '127.0.0.1',
  MASTER_PORT: String(port),
});

/** The lease numbers the attempt: one with a smaller number that is still alive leaves. */
async function attemptOf(folder: string): Promise<Record<string, string>> {
  const text = await readFile(path.join(folder, 'lease.json'), 'utf8').catch(() => null);
  return text ? { TESSERA_ATTEMPT: String((JSON.parse(text) as { attempt: number }).attempt) } : {};
}

/** None where they run on another machine. */
async function startedHere(folder: string): Promise<Started[]> {
  const text = await readFile(path.join(folder, HANDLE), 'utf8');
  const { host, pids, startedAt } = JSON.parse(text) as Partial<Processes>;
  if (host !== os.hostname()) return [];
  return (pids ?? []).map((pid, at) => ({ pid, startedAt: startedAt?.[at] ?? null }));
}

const isAlive = (started: Started): boolean =>
  started.startedAt !== null &&
  !ended.has(keyOf(started)) &&
  processStartTime(started.pid) === started.startedAt;

/** Only what is still the process that was started. */
function signal(started: readonly Started[], name: NodeJS.Signals): void {
  for (const { pid } of started.filter(isAlive)) {
    try {
      process.kill(pid, name);
    } catch {
      // Gone already.
    }
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const HAS_PROC = existsSync('/proc/self/stat');

/**
 * When a process began, as text that no other of its number has: process ids are reused, after a restart of the
 * machine from the beginning. Null where there is none, or only what is left of one that ended.
 */
export function processStartTime(pid: number): string | null {
  if (!HAS_PROC) return isThere(pid) ? 'unknown' : null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program comes before and may hold anything; then the state is field 3 and the start field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : `${bootId()}/${fields[19]}`;
  } catch {
    return null;
  }
}

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
