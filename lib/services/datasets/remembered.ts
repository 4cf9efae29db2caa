/** Whole versions that this process reads at a time for people who wait: the rest queue, and pages stay quick. */
const MAX_CONCURRENT = 2;
let reading = 0;
const waiting: (() => void)[] = [];

async function runQueued<T>(read: () => Promise<T>): Promise<T> {
  if (reading >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
  else reading += 1;
  try {
    return await read();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else reading -= 1;
  }
}

/**
 * What reading a version gave, kept by what determines it. A version never changes, so what is known stays true; those
 * who ask while it is being read wait for the same reading, and one that failed is tried anew.
 */
export class Remembered<T> {
  readonly #known = new Map<string, Promise<T>>();

  constructor(private readonly most: number) {}

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key);
    this.#known.delete(key);
    const found = known ?? runQueued(read);
    this.#known.set(key, found);
    if (known) return known;
    found.catch(() => {
      if (this.#known.get(key) === found) this.#known.delete(key);
    });
    // The one that was asked for longest ago goes first.
    for (const old of this.#known.keys()) {
      if (this.#known.size <= this.most) break;
      this.#known.delete(old);
    }
    return found;
  }
}

/** What a reading gives, or null when it takes longer than a page should wait: it goes on and is remembered. */
export async function withinReach<T>(reading: Promise<T>, patienceMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patienceMs);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
    // Nobody may be left to hear of a failure.
    reading.catch(() => {});
  }
}
