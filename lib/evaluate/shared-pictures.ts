import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, read, rmSync, writevSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { CHANNELS, type Picture } from '@/lib/evaluation/picture';

/** Linux keeps files here in memory. Where there is none, pictures travel in the question. */
const MEMORY = '/dev/shm';
/** Four batches at 224 pixels; small pictures never take so much. */
const MOST_BYTES = 80 * 2 ** 20;
const BYTES = Float32Array.BYTES_PER_ELEMENT;

const reading = promisify(read);

/** Where pictures of one size lie, one after the other. */
export interface Laid {
  /** In bytes. */
  from: number;
  count: number;
  width: number;
  height: number;
}

export const isLaid = (given: unknown): given is Laid =>
  typeof given === 'object' && given !== null && 'from' in given && 'count' in given;

/**
 * Memory that this process writes and another reads: a picture is copied twice, and waits where it lies until the other
 * one has time. A message would go through a pipe that holds a few pictures, is emptied only between two runs of the
 * model, and copies five times. The file has no name and ends with the processes that hold it.
 */
export class SharedPictures implements Disposable {
  /** In the order of where they lie. */
  readonly #taken: { from: number; to: number }[] = [];
  #isOpen = true;

  private constructor(
    private readonly writer: number,
    /** For the other process, which cannot write. */
    readonly reader: number,
    private most: number,
  ) {}

  static open(folder = MEMORY, most = MOST_BYTES): SharedPictures | null {
    const file = path.join(folder, `tessera-${randomUUID()}`);
    const { O_RDWR, O_CREAT, O_EXCL } = constants;
    try {
      const writer = openSync(file, O_RDWR | O_CREAT | O_EXCL, 0o400);
      try {
        return new SharedPictures(writer, openSync(file, 'r'), most);
      } catch (error) {
        closeSync(writer);
        throw error;
      } finally {
        rmSync(file);
      }
    } catch {
      return null;
    }
  }

  /** Null where there is no room for them, or they are not of one size: they are then sent. */
  lay(pictures: readonly Picture[]): Laid | null {
    const [{ width, height }] = pictures as [Picture];
    const size = CHANNELS * width * height;
    const bytes = BYTES * size * pictures.length;
    const isEven = pictures.every(
      (each) => each.width === width && each.height === height && each.data.length === size,
    );
    const place = this.#isOpen && isEven ? this.#gap(bytes) : null;
    if (!place) return null;
    if (!this.#write(pictures, place.from, bytes)) {
      // There is less memory than thought, and it will not become more.
      this.most = place.from;
      return null;
    }
    this.#taken.splice(place.at, 0, { from: place.from, to: place.from + bytes });
    return { from: place.from, count: pictures.length, width, height };
  }

  /** They were looked at. */
  clear({ from }: Laid): void {
    const at = this.#taken.findIndex((each) => each.from === from);
    if (at !== -1) this.#taken.splice(at, 1);
  }

  [Symbol.dispose](): void {
    // Twice would close a file that somebody else opened since.
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.writer);
    closeSync(this.reader);
  }

  /** The first that is large enough: so the same memory is used again and again. */
  #gap(bytes: number): { at: number; from: number } | null {
    let from = 0;
    for (const [at, taken] of this.#taken.entries()) {
      if (taken.from - from >= bytes) return { at, from };
      from = taken.to;
    }
    return from + bytes <= this.most ? { at: this.#taken.length, from } : null;
  }

  #write(pictures: readonly Picture[], from: number, bytes: number): boolean {
    try {
      return (
        writevSync(
          this.writer,
          pictures.map(({ data }) => data),
          from,
        ) === bytes
      );
    } catch {
      return false;
    }
  }
}

/** The other end. Reads in a thread of its own, so that the next pictures arrive while the model looks at others. */
export class ReadPictures {
  readonly #free: Float32Array<ArrayBuffer>[] = [];

  constructor(private readonly file: number) {}

  async read({ from, count, width, height }: Laid): Promise<Arrived> {
    const size = CHANNELS * width * height;
    const length = count * size;
    const at = this.#free.findIndex((each) => each.length >= length);
    const memory = this.#free.splice(at === -1 ? 0 : at, 1)[0];
    const data = memory && memory.length >= length ? memory : new Float32Array(length);
    const { bytesRead } = await reading(this.file, data, 0, length * BYTES, from);
    if (bytesRead !== length * BYTES) throw new Error('Pictures did not arrive.');
    return {
      pictures: Array.from({ length: count }, (_, i) => ({
        width,
        height,
        data: data.subarray(i * size, (i + 1) * size),
      })),
      clear: () => this.#free.push(data),
    };
  }
}

export interface Arrived {
  pictures: Picture[];
  /** They were looked at: others may lie there. */
  clear(): void;
}
