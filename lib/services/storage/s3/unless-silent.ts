import { unavailable } from './client';

/**
 * The bytes of an answer, up to where the store falls silent: then it is a fault, and not a request that stays for ever.
 * Whoever reads may take their time; only the waiting for the store is counted.
 */
export async function* unlessSilent(
  body: ReadableStream<Uint8Array>,
  patienceMs: number,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const next = await within(patienceMs, reader.read());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not waited for: a store that is silent would not answer this either.
    reader.cancel().catch(() => {});
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable('fell silent in the middle of a file')), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
