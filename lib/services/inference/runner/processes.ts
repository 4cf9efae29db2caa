import type { Inspection } from '@/lib/core/robustness/onnx/inspect-model';
import type { Picture } from '@/lib/core/robustness/picture';
import type { FeatureMap } from '@/lib/core/robustness/saliency/maps';
import type { ModelRunner } from '@/lib/core/robustness/types';
import { ChildClient } from '../child-client';
import type { CompanionSize, CompanionSource, InspectRequest } from './companion-child';
import type { Autoencoder, Embedder } from './companions';
import type { Abilities } from './model-thread';
import type { ModelSource } from './open-model';
import { SharedPictureWriter } from './shared-pictures';

/** Timeout of one call of a few batches; a ResNet-50 at 224 pixels takes seconds on two busy cores. */
const TIMEOUT_MS = 180_000;
/** A ResNet-50 with a batch of 32 takes about 1.5 GB. */
const MEMORY_MB = 3000;

export interface Limits {
  timeoutMs?: number;
  /** Per process. */
  memoryMb?: number;
  /** Number of processes; requests go to the least busy one. */
  processes?: number;
}

/**
 * Runs `openModel` in child processes. They end on disposal or abort. Results do not depend on the number of processes,
 * because every request is independent.
 */
export async function startModel(
  source: ModelSource,
  { timeoutMs = TIMEOUT_MS, memoryMb = MEMORY_MB, processes = 1 }: Limits = {},
  signal?: AbortSignal,
): Promise<ModelRunner> {
  signal?.throwIfAborted();
  const children = Array.from({ length: processes }, () => new ModelChild({ timeoutMs, memoryMb }));
  const stop = () => {
    for (const child of children) child[Symbol.dispose]();
  };
  signal?.addEventListener('abort', stop);
  const answered = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  };
  const idlest = () => children.reduce((a, b) => (b.waiting < a.waiting ? b : a));
  const ask = <T>(call: string, payload: unknown): Promise<T> => answered(idlest().request<T>(call, payload));
  const show = <T>(call: string, pictures: readonly Picture[]): Promise<T> =>
    answered(idlest().sendPictures<T>(call, pictures));
  const end = async () => {
    signal?.removeEventListener('abort', stop);
    stop();
  };
  try {
    const opened = Promise.all(children.map((child) => child.request<Abilities>('open', source)));
    const [can] = (await answered(opened)) as [Abilities];
    return {
      ...can,
      logits: async (pictures) => rowsIn(await show<Float32Array>('logits', pictures), can.classes.length),
      features: can.features ? (pictures) => show('features', pictures) : null,
      tail: can.tail ? (maps: readonly FeatureMap[]) => ask('tail', maps) : null,
      gradient: can.gradient ? (picture, seed, share = 0) => ask('gradient', { picture, seed, share }) : null,
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

const rowsIn = (numbers: Float32Array, length: number): Float32Array[] =>
  Array.from({ length: numbers.length / length }, (_, i) => numbers.slice(i * length, (i + 1) * length));

/** One model process with its shared picture memory. */
class ModelChild implements Disposable {
  readonly #shared = SharedPictureWriter.open();
  readonly #child: ChildClient;

  constructor(limits: { timeoutMs: number; memoryMb: number }) {
    this.#child = new ChildClient('lib/services/inference/runner/model-child.ts', {
      ...limits,
      sharedFile: this.#shared?.reader,
    });
  }

  get waiting(): number {
    return this.#child.waiting;
  }

  request<T>(call: string, payload: unknown): Promise<T> {
    return this.#child.request<T>(call, payload);
  }

  async sendPictures<T>(call: string, pictures: readonly Picture[]): Promise<T> {
    const laid = pictures.length > 0 ? this.#shared?.write(pictures) : null;
    if (!laid) return this.request<T>(call, pictures);
    try {
      return await this.request<T>(call, laid);
    } finally {
      this.#shared?.clear(laid);
    }
  }

  [Symbol.dispose](): void {
    this.#child[Symbol.dispose]();
    this.#shared?.[Symbol.dispose]();
  }
}

const ENTRY = 'lib/services/inference/runner/companion-child.ts';

type Asked = <T>(call: string, payload: unknown) => Promise<T>;

/** Starts a child process for an oracle or decoder. It ends on disposal or abort. */
function startChild(
  { timeoutMs = TIMEOUT_MS, memoryMb = MEMORY_MB }: Limits,
  signal?: AbortSignal,
): { request: Asked } & AsyncDisposable {
  signal?.throwIfAborted();
  const child = new ChildClient(ENTRY, { timeoutMs, memoryMb });
  const stop = () => child[Symbol.dispose]();
  signal?.addEventListener('abort', stop);
  return {
    async request<T>(call: string, payload: unknown): Promise<T> {
      try {
        return await child.request<T>(call, payload);
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      signal?.removeEventListener('abort', stop);
      stop();
    },
  };
}

/** Inspects uploaded files in a sandboxed child process. */
export async function inspectInChild(
  request: InspectRequest,
  limits: Limits = {},
  signal?: AbortSignal,
): Promise<Inspection> {
  await using child = startChild(limits, signal);
  return await child.request<Inspection>('inspect', request);
}

/** Runs `openEmbedder` in a child process. */
export async function startEmbedder(
  source: CompanionSource,
  limits: Limits = {},
  signal?: AbortSignal,
): Promise<Embedder & AsyncDisposable> {
  const { request: ask, size, end } = await opened('open oracle', source, limits, signal);
  return {
    ...size,
    embed: (pictures: readonly Picture[]) => ask('embed', pictures),
    [Symbol.asyncDispose]: end,
  };
}

/** Runs `openAutoencoder` in a child process. */
export async function startAutoencoder(
  source: CompanionSource,
  limits: Limits = {},
  signal?: AbortSignal,
): Promise<Autoencoder & AsyncDisposable> {
  const { request: ask, size, end } = await opened('open decoder', source, limits, signal);
  return {
    ...size,
    encode: (pictures) => ask('encode', pictures),
    decode: (places) => ask('decode', places),
    [Symbol.asyncDispose]: end,
  };
}

async function opened(call: string, source: CompanionSource, limits: Limits, signal?: AbortSignal) {
  const child = startChild(limits, signal);
  const end = async () => child[Symbol.asyncDispose]();
  try {
    return { request: child.request as Asked, size: await child.request<CompanionSize>(call, source), end };
  } catch (error) {
    await end();
    throw error;
  }
}
