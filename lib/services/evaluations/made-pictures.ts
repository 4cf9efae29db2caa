import { TesseraError } from '@/lib/core/errors';

/** Bytes of pictures that are kept for whoever looks at the same image next. */
const MOST_BYTES = 48_000_000;
/** Made at once, and waiting for that: each takes a core, some a process. */
const AT_ONCE = 2;
const MOST_WAITING = 12;

interface Kept {
  made: Promise<Buffer[]>;
  bytes: number;
}

/** In the memory of one web process: made anew after a restart, or by another process. */
class MadePictures {
  readonly #kept = new Map<string, Kept>();
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #busy = 0;

  /** The pictures of that name: kept, being made for somebody else, or made now. */
  get(name: string, make: () => Promise<Buffer[]>): Promise<Buffer[]> {
    const known = this.#kept.get(name);
    if (known) {
      this.#kept.delete(name);
      this.#kept.set(name, known);
      return known.made;
    }
    const kept: Kept = { made: this.#inTurn(make), bytes: 0 };
    this.#kept.set(name, kept);
    kept.made.then(
      (pictures) => {
        kept.bytes = pictures.reduce((sum, { length }) => sum + length, 0);
        this.#bytes += kept.bytes;
        this.#forget();
      },
      () => this.#kept.delete(name),
    );
    return kept.made;
  }

  async #inTurn<T>(make: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= MOST_WAITING)
      throw new TesseraError('unavailable', 'Many pictures are being made: try again in a moment.');
    if (this.#busy >= AT_ONCE) await new Promise<void>((go) => this.#waiting.push(go));
    this.#busy += 1;
    try {
      return await make();
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  #forget(): void {
    for (const [name, { bytes }] of this.#kept) {
      if (this.#bytes <= MOST_BYTES) return;
      if (bytes === 0) continue;
      this.#kept.delete(name);
      this.#bytes -= bytes;
    }
  }
}

// Pages and routes are bundled apart: what they share lies here.
const held = globalThis as { tesseraMadePictures?: MadePictures };

export function madePictures(): Pick<MadePictures, 'get'> {
  held.tesseraMadePictures ??= new MadePictures();
  return held.tesseraMadePictures;
}
