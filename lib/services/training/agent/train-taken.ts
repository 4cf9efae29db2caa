import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobSpec } from '@/lib/core/training-spec';
import { resolveInside } from '@/lib/services/storage/blobs';
import type { Handle } from '../launch/launcher';
import { localLauncher } from '../launch/local';
import { EventFollower, type RunEvent, RunResult, seedEvents } from '../runs/follow-events';
import {
  type FileCache,
  isLost,
  isPassing,
  type Platform,
  patiently,
  sha256OfFile,
  type TakenRun,
} from './platform';

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

const CHECK = 'artifacts/check/check.json';
const CHECKPOINT_MS = 60_000;
const LOG_MS = 15_000;
const LOG_BYTES = 64 * 1024;
const MAX_EVENTS = 500;
const MAX_CHARACTERS = 4_000_000;

/** Sends what the trainer tells and makes, in its order; each is tried until it is there or nobody wants it. */
class Report {
  readonly #follower: EventFollower;
  #checkpointAt = Number.NEGATIVE_INFINITY;
  #logAt = Number.NEGATIVE_INFINITY;
  #logBytes = 0;

  constructor(
    private readonly platform: Platform,
    private readonly run: TakenRun,
    private readonly folder: string,
    private readonly until: AbortSignal,
  ) {
    this.#follower = new EventFollower(folder, run.told.at(-1)?.seq ?? 0);
  }

  async passOn(): Promise<void> {
    const events = await this.#follower.read();
    for (const some of batches(events))
      await patiently(() => this.platform.sendEvents(this.run, some), this.until);
    for (const { kind, path: name } of events)
      if (kind === 'artifact' && typeof name === 'string') await this.#sendArtifact(name);
    const isDue = performance.now() - this.#checkpointAt > CHECKPOINT_MS;
    if (isDue && events.some(({ kind }) => kind === 'checkpoint')) await this.sendCheckpoint();
    if (performance.now() - this.#logAt > LOG_MS) await this.sendLog();
  }

  async sendCheckpoint(): Promise<void> {
    await this.#sendFile('checkpoints/last.pt');
    this.#checkpointAt = performance.now();
  }

  /** The end of it: what a page shows. */
  async sendLog(): Promise<void> {
    this.#logAt = performance.now();
    const found = await stat(path.join(this.folder, 'log.txt')).catch(() => null);
    if (!found || found.size === 0 || found.size === this.#logBytes) return;
    this.#logBytes = found.size;
    await this.#sendFile('log.txt', { from: Math.max(0, found.size - LOG_BYTES) });
  }

  /** The tensors of the check are no artefacts of their own, but the platform repeats it. */
  async #sendArtifact(name: string): Promise<void> {
    await this.#sendFile(name);
    if (name !== CHECK) return;
    for (const file of await readdir(path.join(this.folder, path.dirname(CHECK))))
      if (file.endsWith('.f32'))
        await this.#sendFile(`${path.dirname(CHECK)}/${file}`, { as: `check/${file}` });
  }

  /** The trainer replaces files while they are read: what is sent is held by another name. */
  async #sendFile(name: string, { from = 0, as = name } = {}): Promise<void> {
    const file = resolveInside(this.folder, name);
    if (!existsSync(file)) return;
    const held = path.join(this.folder, '.sending');
    await rm(held, { force: true });
    if (from > 0 || name === 'log.txt') await copyTail(file, held, from);
    else await link(file, held);
    try {
      const { size } = await stat(held);
      const sha256 = await sha256OfFile(held);
      await patiently(
        () =>
          this.platform.sendFile(
            this.run,
            {
              path: as,
              sha256,
              bytes: size,
              body: Readable.toWeb(createReadStream(held)) as ReadableStream,
            },
            this.until,
          ),
        this.until,
      );
    } finally {
      await rm(held, { force: true });
    }
  }
}

/** A log grows while it is read. */
async function copyTail(file: string, place: string, from: number): Promise<void> {
  await pipeline(createReadStream(file, { start: from }), createWriteStream(place));
}

function* batches(events: readonly RunEvent[]): Generator<RunEvent[]> {
  let batch: RunEvent[] = [];
  let characters = 0;
  for (const event of events) {
    const length = JSON.stringify(event).length;
    if (batch.length === MAX_EVENTS || (batch.length > 0 && characters + length > MAX_CHARACTERS)) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(event);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}
