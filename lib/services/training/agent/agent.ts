import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TesseraError } from '@/lib/core/errors';
import { localLauncher, processStartTime } from '../launch/local';
import { FileCache, isLost, Platform, patiently, Refused, type TakenRun } from './platform';
import { trainTaken } from './train-taken';

const ASK_MS = 3000;
const AFTER_TROUBLE_MS = 30_000;

export interface AgentOptions {
  server: string;
  key: string;
  name: string;
  /** Where snapshots are kept and job directories are made. */
  folder: string;
  /** Aborting it stops the run that is at work with a checkpoint, gives it back, and ends. */
  signal: AbortSignal;
  say(text: string): void;
}

/** Trains for an instance elsewhere until it is told to stop: asks for runs that fit, one after the other. */
export async function runAgent({ server, key, name, folder, signal, say }: AgentOptions): Promise<void> {
  const capabilities = await localLauncher.capabilities();
  if (capabilities.missing) throw new TesseraError('unavailable', capabilities.missing);
  const platform = new Platform(server, key);
  const work = {
    platform,
    cache: new FileCache(path.join(folder, 'cache')),
    folder: path.join(folder, 'runs'),
    signal,
    say,
  };
  const unlock = await lockFolder(folder);
  const enrol = () => patiently(() => platform.enrol(name, capabilities), signal);
  try {
    await clearLeftovers(work.folder);
    await enrol();
    say(`${name} trains for ${server}: torch ${capabilities.torch}, ${gpuText(capabilities.gpus)}.`);
    while (!signal.aborted) {
      const run = await patiently(() => platform.take(), signal).catch(
        async (error): Promise<TakenRun | null> => {
          // Somebody removed it from the list: it is there, so it enters itself again.
          if (!isLost(error)) throw error;
          await enrol();
          return null;
        },
      );
      if (!run) {
        await sleep(ASK_MS, undefined, { signal });
        continue;
      }
      say(`${run.name}: attempt ${run.attempt} begins.`);
      await trainTaken(work, run).catch(async (error: Error) => {
        say(`${run.name}: ${error.message}`);
        // A full disk is full for the next run as well: others may be quicker to take it.
        await sleep(AFTER_TROUBLE_MS, undefined, { signal });
      });
      await work.cache.tidy();
    }
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof Refused)
      throw new TesseraError('unavailable', `${error.message} (${error.status} from ${server})`);
    throw error;
  } finally {
    await unlock();
  }
}

const gpuText = (gpus: readonly { name: string; memoryGb: number }[]): string =>
  gpus.length === 0 ? 'no GPU' : gpus.map((gpu) => `${gpu.name} with ${gpu.memoryGb} GB`).join(', ');

/** An attempt that has no number as high leaves within seconds: how a process is ended whose agent was killed. */
const HIGHEST = 2_000_000_000;
const LEAVES_WITHIN_MS = 30_000;

/** Ends and removes what an agent that was killed left in this folder. */
async function clearLeftovers(runs: string): Promise<void> {
  for (const name of await readdir(runs).catch(() => [])) {
    const folder = path.join(runs, name);
    await writeFile(path.join(folder, 'lease.json'), JSON.stringify({ attempt: HIGHEST })).catch(() => {});
    for (const until = Date.now() + LEAVES_WITHIN_MS; Date.now() < until; await sleep(200))
      if (!(await localLauncher.adopt(folder))) break;
    await rm(folder, { recursive: true, force: true });
  }
}

const LOCK = 'agent.json';

interface Holder {
  host: string;
  pid: number;
  startedAt: string | null;
}

/** One agent a folder: another would end the runs of the first as left over. Returns how to let go of it. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, LOCK);
  const us: Holder = { host: os.hostname(), pid: process.pid, startedAt: processStartTime(process.pid) };
  for (;;) {
    const isOurs = await writeFile(file, JSON.stringify(us), { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (isOurs) return () => rm(file, { force: true });
    const holder = await readHolder(file);
    if (holder && isThere(holder))
      throw new TesseraError(
        'conflict',
        `Another agent (process ${holder.pid} of ${holder.host}) works in ${folder}. Give this one another --folder, or remove ${file} if that one is gone.`,
      );
    // What an agent left that was killed.
    await rm(file, { force: true });
  }
}

/** Of another machine nothing can be known: somebody has to say that it is gone. */
const isThere = ({ host, pid, startedAt }: Holder): boolean =>
  host !== os.hostname() || (startedAt !== null && processStartTime(pid) === startedAt);

async function readHolder(file: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
}
