import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, readSync, rmSync, writevSync } from 'node:fs';
import path from 'node:path';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';

/** Linux keeps files here in memory. Where there is none, pictures travel in the question. */
const MEMORY = '/dev/shm';
/** Four batches at 224 pixels; small pictures never take so much. */
const MAX_BYTES = 80 * 2 ** 20;
const BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Where pictures of one size lie, one after the other. */
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
 * Memory that this process writes and another reads: a picture is copied twice, and waits where it lies until the other
 * one has time. A message would go through a pipe that holds a few pictures, is emptied only between two runs of the
 * model, and copies five times. The file has no name and ends with the processes that hold it.
 */
export class SharedPictureWriter implements Disposable {
  /** In the order of where they lie. */
  readonly #taken: { from: number; to: number }[] = [];
  #isOpen = true;

  private constructor(
    private readonly writer: number,
    /** For the other process, which cannot write. */
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

  /** Null where there is no room for them, or they are not of one size: they are then sent. */
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
      // There is less memory than thought, and it will not become more.
      this.most = place.from;
      return null;
    }
    this.#taken.splice(place.at, 0, { from: place.from, to: place.from + bytes });
    return { from: place.from, count: pictures.length, width, height };
  }

  /** They were looked at. */
  clear({ from }: PictureLocation): void {
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

/** Pictures of one size, one after the other in memory that can go to another thread as it is. */
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

/** The other end. */
export class SharedPictureReader {
  readonly #free: Float32Array<ArrayBuffer>[] = [];

  constructor(private readonly file: number) {}

  read({ from, count, width, height }: PictureLocation): PictureBatch {
    const length = count * CHANNELS * width * height;
    const at = this.#free.findIndex((each) => each.length >= length);
    // Too small ones go: they would wait for ever beside larger pictures.
    const [found] = this.#free.splice(at === -1 ? 0 : at, 1);
    const memory = found && found.length >= length ? found : new Float32Array(length);
    if (readSync(this.file, memory, 0, length * BYTES, from) !== length * BYTES)
      throw new Error('Pictures did not arrive.');
    return { memory, count, width, height };
  }

  /** They were looked at: others may lie there. */
  clear(memory: PictureBatch['memory']): void {
    this.#free.push(memory);
  }
}
