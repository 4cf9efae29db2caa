import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TesseraError } from '@/lib/errors';
import type { Launcher, Status } from './launcher';
import { capabilitiesHere, forgetCapabilities, trainerFolder } from './python';

/** Written beside the job: who takes it over knows which processes are at it. */
const HANDLE = 'process.json';
const INSIST_MS = 60_000;
/** So long ranks may take to notice that one of them is gone; a library of theirs may wait for ever. */
const NOTICE_MS = 60_000;

interface Processes {
  host: string;
  pids: number[];
}

/** When a rank was first seen to have failed, by the folder of its job. */
const fallen = new Map<string, number>();

/** Exit codes of processes that this process has started. */
const ended = new Map<number, number | null>();

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
    const pids = Array.from({ length: ranks }, (_, rank) =>
      start(python, folder, ranks > 1 ? { ...env, ...rankOf(rank, ranks, port) } : env),
    );
    await writeFile(
      path.join(folder, HANDLE),
      JSON.stringify({ host: os.hostname(), pids } satisfies Processes),
    );
    return { name: folder };
  },

  async adopt(folder) {
    const status = await localLauncher.status({ name: folder }).catch(() => null);
    return status?.state === 'running' ? { name: folder } : null;
  },

  async status({ name }): Promise<Status> {
    const { host, pids } = await processesOf(name);
    if (host !== os.hostname()) return { state: 'gone', code: null };
    if (pids.some(isAlive)) {
      endForsaken(name, pids);
      return { state: 'running' };
    }
    return { state: 'gone', code: ended.get(pids[0] ?? -1) ?? null };
  },

  async stop({ name }) {
    const { host, pids } = await processesOf(name);
    if (host !== os.hostname()) return;
    signal(pids, 'SIGTERM');
    for (const until = Date.now() + INSIST_MS; pids.some(isAlive); await sleep(100))
      if (Date.now() > until) signal(pids, 'SIGKILL');
  },
};

/** Of ranks that depend on each other, those that go on waiting for one that is gone. */
function endForsaken(folder: string, pids: readonly number[]): void {
  if (!pids.some((pid) => ended.has(pid) && ended.get(pid) !== 0)) {
    fallen.delete(folder);
    return;
  }
  const since = fallen.get(folder) ?? Date.now();
  fallen.set(folder, since);
  if (Date.now() - since > NOTICE_MS) signal(pids.filter(isAlive), 'SIGKILL');
}

function start(python: string, folder: string, env: Record<string, string>): number {
  const log = openSync(path.join(folder, 'log.txt'), 'a');
  const child = spawn(python, ['-m', 'tessera_trainer', folder], {
    cwd: trainerFolder,
    env: {
      ...process.env,
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
  child.once('exit', (code) => ended.set(pid, code));
  return pid;
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

async function processesOf(folder: string): Promise<Processes> {
  return JSON.parse(await readFile(path.join(folder, HANDLE), 'utf8')) as Processes;
}

function isAlive(pid: number): boolean {
  if (ended.has(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
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
