import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, readSync, rmSync, writevSync } from 'node:fs';
import path from 'node:path';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';

/** Shared memory on Linux. Elsewhere pictures are sent in messages. */
const MEMORY = '/dev/shm';
/** Four batches at 224 pixels. */
const MAX_BYTES = 80 * 2 ** 20;
const BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Location of adjacent pictures of one size. */
export interface PictureLocation {
  /** In bytes. */
  from: number;
  count: number;
  width: number;
  height: number;
}

export const isPictureLocation = (payload: unknown): payload is PictureLocation =>
  typeof payload === 'object' && payload !== null && 'from' in payload && 'count' in payload;

/**
 * Shared memory between this process and a model process. A picture is copied twice; a message would copy it five times
 * through a small pipe that is emptied only between model runs. The file is unlinked and freed with the processes.
 */
export class SharedPictureWriter implements Disposable {
  /** Allocated ranges, sorted. */
  readonly #taken: { from: number; to: number }[] = [];
  #isOpen = true;

  private constructor(
    private readonly writer: number,
    /** Read-only descriptor for the child process. */
    readonly reader: number,
    private most: number,
  ) {}

  static open(folder = MEMORY, most = MAX_BYTES): SharedPictureWriter | null {
    const file = path.join(folder, `tessera-${randomUUID()}`);
    const { O_RDWR, O_CREAT, O_EXCL } = constants;
    try {
      const writer = openSync(file, O_RDWR | O_CREAT | O_EXCL, 0o400);
      try {
        return new SharedPictureWriter(writer, openSync(file, 'r'), most);
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

  /** Returns null without free space or for different sizes; the pictures are then sent in the message. */
  write(pictures: readonly Picture[]): PictureLocation | null {
    const [{ width, height }] = pictures as [Picture];
    const size = CHANNELS * width * height;
    const bytes = BYTES * size * pictures.length;
    const isEven = pictures.every(
      (each) => each.width === width && each.height === height && each.data.length === size,
    );
    const place = this.#isOpen && isEven ? this.#gap(bytes) : null;
    if (!place) return null;
    if (!this.#write(pictures, place.from, bytes)) {
      // Less memory is available than expected.
      this.most = place.from;
      return null;
    }
    this.#taken.splice(place.at, 0, { from: place.from, to: place.from + bytes });
    return { from: place.from, count: pictures.length, width, height };
  }

  /** Frees the range. */
  clear({ from }: PictureLocation): void {
    const at = this.#taken.findIndex((each) => each.from === from);
    if (at !== -1) this.#taken.splice(at, 1);
  }

  [Symbol.dispose](): void {
    // Closing twice could close a reused descriptor.
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.writer);
    closeSync(this.reader);
  }

  /** First fit, which reuses the same memory. */
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

/** Adjacent pictures in transferable memory. */
export interface PictureBatch {
  memory: Float32Array<ArrayBuffer>;
  count: number;
  width: number;
  height: number;
}

export const isPictureBatch = (payload: unknown): payload is PictureBatch =>
  typeof payload === 'object' && payload !== null && 'memory' in payload;

export function splitBatch({ memory, count, width, height }: PictureBatch): Picture[] {
  const size = CHANNELS * width * height;
  return Array.from({ length: count }, (_, i) => ({
    width,
    height,
    data: memory.subarray(i * size, (i + 1) * size),
  }));
}

/** Reader in the model process. */
export class SharedPictureReader {
  readonly #free: Float32Array<ArrayBuffer>[] = [];

  constructor(private readonly file: number) {}

  read({ from, count, width, height }: PictureLocation): PictureBatch {
    const length = count * CHANNELS * width * height;
    const at = this.#free.findIndex((each) => each.length >= length);
    // Drop buffers that are too small.
    const [found] = this.#free.splice(at === -1 ? 0 : at, 1);
    const memory = found && found.length >= length ? found : new Float32Array(length);
    if (readSync(this.file, memory, 0, length * BYTES, from) !== length * BYTES)
      throw new Error('Pictures did not arrive.');
    return { memory, count, width, height };
  }

  /** Returns the buffer for reuse. */
  clear(memory: PictureBatch['memory']): void {
    this.#free.push(memory);
  }
}
