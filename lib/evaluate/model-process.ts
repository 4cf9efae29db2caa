import type { ModelRunner } from '@/lib/evaluation/model-runner';
import type { FeatureMap } from '@/lib/evaluation/saliency/class-map';
import { AskedChild } from './asked-child';
import type { Abilities } from './model-child';
import type { ModelSource } from './session';

/** For one call, which is at most a few batches; a ResNet-50 at 224 pixels takes seconds on two crowded cores. */
const PATIENCE_MS = 180_000;
/** A ResNet-50 with a batch of 32 takes about 1.5 GB. */
const MEMORY_MB = 3000;

export interface Limits {
  patienceMs?: number;
  memoryMb?: number;
}

/** The same as `openModel`, in a process of its own. Stopped by disposing of it, or by the signal. */
export async function startModel(
  source: ModelSource,
  { patienceMs = PATIENCE_MS, memoryMb = MEMORY_MB }: Limits = {},
  signal?: AbortSignal,
): Promise<ModelRunner> {
  signal?.throwIfAborted();
  const child = new AskedChild('lib/evaluate/model-child.ts', { patienceMs, memoryMb });
  const stop = () => child[Symbol.dispose]();
  signal?.addEventListener('abort', stop);
  const ask = async <T>(call: string, given: unknown): Promise<T> => {
    try {
      return await child.ask<T>(call, given);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  };
  const end = async () => {
    signal?.removeEventListener('abort', stop);
    stop();
  };
  try {
    const can = await ask<Abilities>('open', source);
    return {
      ...can,
      logits: (pictures) => ask('logits', pictures),
      features: can.features ? (pictures) => ask('features', pictures) : null,
      tail: can.tail ? (maps: readonly FeatureMap[]) => ask('tail', maps) : null,
      gradient: can.gradient ? (picture, seed, share = 0) => ask('gradient', { picture, seed, share }) : null,
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
