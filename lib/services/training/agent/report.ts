import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { resolveInside } from '@/lib/services/storage/blobs';
import { EventFollower, type RunEvent } from '../runs/follow-events';
import { sha256OfFile } from './file-cache';
import { type Platform, patiently, type TakenRun } from './platform';

const CHECK = 'artifacts/check/check.json';
const CHECKPOINT_MS = 60_000;
const LOG_MS = 15_000;
const LOG_BYTES = 64 * 1024;
const MOST_EVENTS = 500;
const MOST_CHARACTERS = 4_000_000;

/** Sends what the trainer tells and makes, in its order; each is tried until it is there or nobody wants it. */
export class Report {
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
    if (batch.length === MOST_EVENTS || (batch.length > 0 && characters + length > MOST_CHARACTERS)) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(event);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}
