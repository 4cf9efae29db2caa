import type { ModelRunner } from '@/lib/evaluation/model-runner';
import type { FeatureMap } from '@/lib/evaluation/saliency/class-map';
import { AskedChild } from './asked-child';
import type { Abilities } from './model-child';
import type { ModelSource } from './session';

/** For one call, which is at most a few batches; a ResNet-50 at 224 pixels takes seconds on two crowded cores. */
export const PATIENCE_MS = 180_000;
/** A ResNet-50 with a batch of 32 takes about 1.5 GB. */
export const MEMORY_MB = 3000;

export interface Limits {
  patienceMs?: number;
  /** For each of the processes. */
  memoryMb?: number;
  /** The same model so many times: a question goes to the one that has least to do. */
  processes?: number;
}

/**
 * The same as `openModel`, in processes of its own. Stopped by disposing of it, or by the signal. What is answered does
 * not depend on how many there are: every question is answered by itself.
 */
export async function startModel(
  source: ModelSource,
  { patienceMs = PATIENCE_MS, memoryMb = MEMORY_MB, processes = 1 }: Limits = {},
  signal?: AbortSignal,
): Promise<ModelRunner> {
  signal?.throwIfAborted();
  const children = Array.from(
    { length: processes },
    () => new AskedChild('lib/evaluate/model-child.ts', { patienceMs, memoryMb }),
  );
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
  const ask = <T>(call: string, given: unknown): Promise<T> =>
    answered(children.reduce((a, b) => (b.waiting < a.waiting ? b : a)).ask<T>(call, given));
  const end = async () => {
    signal?.removeEventListener('abort', stop);
    stop();
  };
  try {
    const opened = Promise.all(children.map((child) => child.ask<Abilities>('open', source)));
    const [can] = (await answered(opened)) as [Abilities];
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
