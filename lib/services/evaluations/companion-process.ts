import type { Inspected } from '@/lib/core/robustness/onnx/inspect-model';
import type { Picture } from '@/lib/core/robustness/picture';
import { AskedChild } from '@/lib/services/inference/process/asked-child';
import type { Autoencoder } from './autoencoder';
import type { CompanionSize, CompanionSource, InspectRequest } from './companion-child';
import type { Embedder } from './embedder';
import { type Limits, MEMORY_MB, PATIENCE_MS } from './model-process';

const ENTRY = 'lib/services/evaluations/companion-child.ts';

type Asked = <T>(call: string, given: unknown) => Promise<T>;

/** A process for what accompanies a model; ended by who started it, or by the signal. */
function startChild(
  { patienceMs = PATIENCE_MS, memoryMb = MEMORY_MB }: Limits,
  signal?: AbortSignal,
): { ask: Asked } & AsyncDisposable {
  signal?.throwIfAborted();
  const child = new AskedChild(ENTRY, { patienceMs, memoryMb });
  const stop = () => child[Symbol.dispose]();
  signal?.addEventListener('abort', stop);
  return {
    async ask<T>(call: string, given: unknown): Promise<T> {
      try {
        return await child.ask<T>(call, given);
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

/** Reads files that somebody uploaded where nothing can go wrong but this. */
export async function inspectApart(
  request: InspectRequest,
  limits: Limits = {},
  signal?: AbortSignal,
): Promise<Inspected> {
  await using child = startChild(limits, signal);
  return await child.ask<Inspected>('inspect', request);
}

/** The same as `openEmbedder`, in a process of its own. */
export async function startEmbedder(
  source: CompanionSource,
  limits: Limits = {},
  signal?: AbortSignal,
): Promise<Embedder & AsyncDisposable> {
  const { ask, size, end } = await opened('open oracle', source, limits, signal);
  return {
    ...size,
    embed: (pictures: readonly Picture[]) => ask('embed', pictures),
    [Symbol.asyncDispose]: end,
  };
}

/** The same as `openAutoencoder`, in a process of its own. */
export async function startAutoencoder(
  source: CompanionSource,
  limits: Limits = {},
  signal?: AbortSignal,
): Promise<Autoencoder & AsyncDisposable> {
  const { ask, size, end } = await opened('open decoder', source, limits, signal);
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
    return { ask: child.ask as Asked, size: await child.ask<CompanionSize>(call, source), end };
  } catch (error) {
    await end();
    throw error;
  }
}
