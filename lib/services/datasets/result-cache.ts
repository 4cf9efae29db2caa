import pLimit from 'p-limit';

/** Reads at most two versions at a time for page visitors, so that pages stay responsive. */
const runQueued = pLimit(2);

/**
 * Caches results computed from frozen versions. Versions never change, so entries never expire. Concurrent callers share
 * one computation, and a failed one is retried by the next call.
 */
export class ResultCache<T> {
  readonly #known = new Map<string, Promise<T>>();

  constructor(private readonly maxEntries: number) {}

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key);
    this.#known.delete(key);
    const found = known ?? runQueued(read);
    this.#known.set(key, found);
    if (known) return known;
    found.catch(() => {
      if (this.#known.get(key) === found) this.#known.delete(key);
    });
    // Evicts the least recently used entries.
    for (const old of this.#known.keys()) {
      if (this.#known.size <= this.maxEntries) break;
      this.#known.delete(old);
    }
    return found;
  }
}

/** Waits for a result for at most `timeoutMs`. Returns null after that; the computation continues and is cached. */
export async function waitAtMost<T>(reading: Promise<T>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
    // Prevents an unhandled rejection if the result is late and fails.
    reading.catch(() => {});
  }
}
