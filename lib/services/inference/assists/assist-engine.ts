import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { sha256Of } from '@/lib/services/storage/blobs';
import { embeddingFile } from './embedding-files';
import { FairQueue, type Rank } from './fair-queue';
import { LeastRecentlyUsed } from './least-recently-used';
import { type Models, pinFile } from './model-files';
import { ModelProcess } from './model-process';
import type { PlacePrompt } from './prompt';
import type { Size } from './tensors';

type SamModel = NonNullable<Models['segmentAnything']>;

export interface EnginePicture {
  /** Of the file that is encoded. */
  sha256: string;
  /** Of the upright image. */
  size: Size;
  read(): Promise<Uint8Array>;
}

export interface EngineUser {
  id: string;
  /**
   * Must not notice that somebody else has had the picture before, which is mostly true of gold: a cached embedding is
   * used after a time that encoding could have taken.
   */
  isVeiled: boolean;
}

export interface EngineRequest {
  user: EngineUser;
  model: SamModel;
  picture: EnginePicture;
  /** 0 by default: somebody waits. */
  rank?: Rank;
}

export interface SegmentedMasks {
  masks: { counts: string; score: number }[];
  model: string;
  /** Time of the model. */
  ms: number;
}

/** Waiting requests of one user: pictures to encode, and prompts. */
const MAX_PICTURES = 4;
const MAX_PROMPTS = 12;
/** Waiting prompts of all users: about ten seconds of work. */
const MAX_WAITING = 96;
/** Pairs of user and picture whose readiness is remembered. */
const MAX_SHOWN = 20_000;
/** Durations of the latest encodings, from which a delay is drawn: a constant one would give itself away. */
const MAX_DURATIONS = 32;

interface Encoded {
  startedAt: number;
  isCached: boolean;
}

interface Options {
  cache: () => { folder: string; maxBytes: number };
  /** Before the first measurement. */
  expectedEncodeMs?: number;
}

/**
 * Runs Segment Anything for many users. Pictures are encoded by one process and prompts decoded by another, so that a
 * click does not wait for an encoder. Each process handles one request at a time, because one saturates the cores; users
 * take turns. Embeddings are shared as files, by the hashes of model and picture.
 */
export class AssistEngine {
  readonly #encoder = new ModelProcess();
  readonly #decoder = new ModelProcess();
  readonly #encodeQueue = new FairQueue(MAX_PICTURES);
  readonly #decodeQueue = new FairQueue(MAX_PROMPTS);
  readonly #pending = new Map<string, Promise<Encoded | undefined>>();
  /** When a user can use a picture, by user and file. */
  readonly #readyAt = new LeastRecentlyUsed<number>(MAX_SHOWN);
  readonly #cache: Options['cache'];
  #durationsMs: number[];

  constructor({ cache, expectedEncodeMs = 2500 }: Options) {
    this.#cache = cache;
    this.#durationsMs = [expectedEncodeMs];
  }

  /** Answers prompts on one picture in a single call of the decoder. Encodes the picture first if necessary. */
  async segment(request: EngineRequest & { prompts: readonly PlacePrompt[] }): Promise<SegmentedMasks> {
    const { user, model, picture, prompts, rank = 0 } = request;
    const decoder = await pinFile(model.decoder);
    // The file can be evicted between encoding and decoding.
    for (let attempt = 0; attempt < 2; attempt++) {
      const file = await this.prepare(request);
      if (file === undefined) throw busy();
      const call = { kind: 'decode', decoder, file, prompts, size: picture.size } as const;
      const { masks, ms } = await this.#decode(user, rank, () => this.#decoder.call(call));
      if (masks) return { masks, ms, model: await this.#nameOf(model) };
    }
    throw new Error(
      'The embeddings of the smart tools are evicted at once: TESSERA_ASSIST_CACHE_MB is too small.',
    );
  }

  /** Runs U²-Net, which needs no embedding. */
  async findMainObject(
    user: EngineUser,
    { name, network }: NonNullable<Models['salientObject']>,
    picture: EnginePicture,
    rank: Rank = 0,
  ): Promise<SegmentedMasks> {
    const pinned = await pinFile(network);
    const { masks, ms } = await this.#decode(user, rank, async () => {
      const bytes = await picture.read();
      return this.#decoder.call({
        kind: 'main-object',
        network: pinned,
        picture: { bytes, size: picture.size },
      });
    });
    return { masks: masks ?? [], ms, model: name };
  }

  /**
   * Encodes a picture unless its embedding exists, and resolves to the file when the user can use it. Undefined if newer
   * requests of the same user replaced this one.
   */
  async prepare({ user, model, picture, rank = 0 }: EngineRequest): Promise<string | undefined> {
    const file = await this.#fileOf(model, picture);
    const mark = `${user.id} ${file}`;
    if (this.#readyAt.get(mark) === undefined || !existsSync(file)) {
      const requestedAt = performance.now();
      const joined = this.#pending.get(file);
      if (joined) this.#encodeQueue.promote(file, rank, user.id);
      const encoded = await (joined ?? this.#encode(file, user, model, picture, rank));
      if (!encoded) return undefined;
      const isOwn = !joined && !encoded.isCached;
      const from = joined ? requestedAt : encoded.startedAt;
      this.#readyAt.set(mark, user.isVeiled && !isOwn ? from + this.#drawDuration() : 0);
    }
    const delayMs = (this.#readyAt.get(mark) ?? 0) - performance.now();
    if (delayMs > 0) await sleep(delayMs);
    return file;
  }

  /** Whether a prompt would be answered without encoding the picture first. */
  async isReady({ user, model, picture }: EngineRequest): Promise<boolean> {
    const file = await this.#fileOf(model, picture);
    if (!existsSync(file)) return false;
    const readyAt = this.#readyAt.get(`${user.id} ${file}`);
    return readyAt === undefined ? !user.isVeiled : readyAt <= performance.now();
  }

  close(): void {
    this.#encoder.close();
    this.#decoder.close();
  }

  #drawDuration(): number {
    return this.#durationsMs[randomInt(this.#durationsMs.length)] as number;
  }

  #encode(file: string, user: EngineUser, model: SamModel, picture: EnginePicture, rank: Rank) {
    if (rank === 0 && this.#encodeQueue.isFull(rank, user.id)) throw busy();
    // A cached picture waits for its turn as well, so that nobody can tell.
    const encoded = this.#encodeQueue.add(rank, user.id, file, async (): Promise<Encoded> => {
      const startedAt = performance.now();
      if (existsSync(file)) return { startedAt, isCached: true };
      const { folder, maxBytes } = this.#cache();
      const [encoder, bytes] = await Promise.all([pinFile(model.encoder), picture.read()]);
      await this.#encoder.call({
        kind: 'encode',
        encoder,
        picture: { bytes, size: picture.size },
        file,
        folder,
        maxBytes,
      });
      this.#durationsMs = [...this.#durationsMs, performance.now() - startedAt].slice(-MAX_DURATIONS);
      return { startedAt, isCached: false };
    });
    const settled = encoded.finally(() => this.#pending.delete(file));
    this.#pending.set(file, settled);
    return settled;
  }

  async #decode<T>(user: EngineUser, rank: Rank, work: () => Promise<T>): Promise<T> {
    const waiting = this.#decodeQueue.waiting(0);
    if (rank === 0 && (waiting >= MAX_WAITING || this.#decodeQueue.isFull(rank, user.id))) throw busy();
    const done = await this.#decodeQueue.add(rank, user.id, '', work);
    if (done === undefined) throw busy();
    return done;
  }

  async #fileOf(model: SamModel, picture: EnginePicture): Promise<string> {
    const { sha256 } = await pinFile(model.encoder);
    return embeddingFile(this.#cache().folder, sha256Of(Buffer.from(`${sha256} ${picture.sha256}`)));
  }

  /** Custom files are identified by content, because the file behind a name can change. */
  async #nameOf({ name, encoder }: SamModel): Promise<string> {
    if (encoder.sha256 !== null) return name;
    return `${name}@${(await pinFile(encoder)).sha256.slice(0, 12)}`;
  }
}

const busy = () =>
  new TesseraError('unavailable', 'The smart tools are busy. Try again in a moment.', { code: 'smartBusy' });

const held = globalThis as { tesseraAssists?: AssistEngine };

/** One per process, shared by all bundles. */
export function assistEngine(): AssistEngine {
  held.tesseraAssists ??= new AssistEngine({ cache: cacheOf });
  return held.tesseraAssists;
}

function cacheOf() {
  const { home, TESSERA_ASSIST_CACHE_MB } = readConfig();
  return {
    folder: path.join(/* turbopackIgnore: true */ home, 'assist', 'embeddings'),
    maxBytes: TESSERA_ASSIST_CACHE_MB * 1e6,
  };
}
