import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobSpec } from '@/lib/core/training-spec';
import { resolveInside } from '@/lib/services/storage/blobs';
import type { Handle } from '../launch/launcher';
import { localLauncher } from '../launch/local';
import { RunResult } from '../runs/run-result';
import { seedEvents } from '../runs/seed-events';
import type { FileCache } from './file-cache';
import { isLost, isPassing, type Platform, patiently, type TakenRun } from './platform';
import { Report } from './report';

const LOOK_MS = 1000;
/** A trainer that is asked to end has so long to send its checkpoint where nobody answers. */
const LAST_WORDS_MS = 120_000;
/** Between two heartbeats: how soon it is known that somebody cancelled the run. */
const BEAT_MS = 5000;

interface Work {
  platform: Platform;
  cache: FileCache;
  /** Where job directories are made. */
  folder: string;
  /** The agent is to end: the run stops with a checkpoint and is given back. */
  signal: AbortSignal;
  say(text: string): void;
}

/** Trains one run that was taken, from fetching its data to sending its verdict. */
export async function trainTaken(work: Work, run: TakenRun): Promise<void> {
  const { platform, signal, say } = work;
  const folder = path.join(work.folder, run.id);
  const lost = new AbortController();
  const beating = new AbortController();
  const stop = new Stopper(folder);
  const onStop = () => {
    stop.now(false);
    setTimeout(() => lost.abort(), LAST_WORDS_MS).unref();
  };
  signal.addEventListener('abort', onStop, { once: true });
  lost.signal.addEventListener('abort', () => stop.now(false), { once: true });
  const hearts = beat(platform, run, AbortSignal.any([beating.signal, lost.signal]), {
    onStop: () => stop.now(true),
    onLost: () => lost.abort(),
  });
  try {
    await fetchInputs(work, run, folder, AbortSignal.any([lost.signal, signal]));
    const spec = jobSpec.parse(JSON.parse(await readFile(path.join(folder, 'job.json'), 'utf8')));
    const report = new Report(platform, run, folder, lost.signal);
    if (!stop.isAsked) stop.holds(await localLauncher.submit(folder, spec.resources));
    while (await stop.isRunning()) {
      await report.passOn();
      await sleep(LOOK_MS);
    }
    await finish(work, run, folder, report, lost.signal);
  } catch (error) {
    if (!lost.signal.aborted && !isLost(error)) {
      await patiently(() => platform.giveBack(run, !signal.aborted), lost.signal).catch(() => {});
      if (!signal.aborted) throw error;
    }
    say(`${run.name}: given up, another trainer or nobody goes on with it.`);
  } finally {
    beating.abort();
    signal.removeEventListener('abort', onStop);
    await stop.andWait();
    await hearts;
    await rm(folder, { recursive: true, force: true });
  }
}

async function fetchInputs(
  { platform, cache }: Work,
  run: TakenRun,
  folder: string,
  until: AbortSignal,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'checkpoints'), { recursive: true });
  const inputs = [
    ...run.files,
    ...(run.checkpoint ? [{ path: 'checkpoints/last.pt', ...run.checkpoint }] : []),
  ];
  for (const { path: name, sha256, bytes } of inputs) {
    const open = (from: number) => platform.openFile(run, name, from, until);
    await cache.fetch({ sha256, bytes, open }, resolveInside(folder, name), until);
  }
  // No other run will ask for it, and the next attempt has a newer one.
  if (run.checkpoint) await cache.forget(run.checkpoint.sha256);
  await seedEvents(folder, run.told);
  await writeFile(path.join(folder, 'lease.json'), JSON.stringify({ attempt: run.attempt }));
}

async function finish(
  { platform, say }: Work,
  run: TakenRun,
  folder: string,
  report: Report,
  until: AbortSignal,
): Promise<void> {
  await report.passOn();
  await report.sendLog();
  const text = await readFile(path.join(folder, 'result.json'), 'utf8').catch(() => null);
  const result = text === null ? null : RunResult.parse(JSON.parse(text));
  if (result?.state !== 'succeeded') await report.sendCheckpoint();
  if (result) await patiently(() => platform.sendVerdict(run, result), until);
  else await patiently(() => platform.giveBack(run, true), until);
  say(`${run.name}: ${result?.state ?? 'lost without a verdict'}.`);
}

/** Says that it is alive until it is told otherwise; silence of the network is no reason to stop. */
async function beat(
  platform: Platform,
  run: TakenRun,
  until: AbortSignal,
  { onStop, onLost }: { onStop(): void; onLost(): void },
): Promise<void> {
  while (!until.aborted) {
    try {
      if ((await platform.heartbeat(run)).stop) onStop();
    } catch (error) {
      // Refused for another reason, as by a key that was revoked: nothing that is sent arrives any more.
      if (!isPassing(error) && !until.aborted) onLost();
    }
    await sleep(BEAT_MS, undefined, { signal: until }).catch(() => {});
  }
}

/** The process of a run, and what is known about whether it is to end. */
class Stopper {
  isAsked = false;
  #handle: Handle | null = null;
  #stopping: Promise<void> | null = null;

  constructor(private readonly folder: string) {}

  holds(handle: Handle): void {
    this.#handle = handle;
    if (this.isAsked) this.#stopping = localLauncher.stop(handle);
  }

  /** For good: the run is cancelled. Else it stops with a checkpoint and goes on elsewhere. */
  now(forGood: boolean): void {
    if (this.isAsked) return;
    this.isAsked = true;
    const end = async () => {
      if (forGood) await writeFile(path.join(this.folder, 'cancel'), '').catch(() => {});
      if (this.#handle) await localLauncher.stop(this.#handle);
    };
    this.#stopping = end();
  }

  async isRunning(): Promise<boolean> {
    return this.#handle !== null && (await localLauncher.status(this.#handle)).state === 'running';
  }

  async andWait(): Promise<void> {
    await this.#stopping?.catch(() => {});
    if (await this.isRunning().catch(() => false)) await localLauncher.stop(this.#handle as Handle);
  }
}
