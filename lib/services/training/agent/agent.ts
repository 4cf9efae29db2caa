import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TesseraError } from '@/lib/core/errors';
import { localLauncher } from '../launch/local';
import { FileCache } from './file-cache';
import { lockFolder } from './folder-lock';
import { isLost, Platform, patiently, Refused, type TakenRun } from './platform';
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
