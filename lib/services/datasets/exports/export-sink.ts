import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises';

/** Where the files of an export go: a folder, a zip, a tar. Files are kept whole. */
export interface Sink {
  /** Files that an export that was stopped has written already, with what they hold; in order. */
  readonly kept: ReadonlyMap<string, WrittenFile>;
  /** Whether files may be written while another one is: not into an archive, where one follows the other. */
  readonly acceptsConcurrentWrites: boolean;
  folder(path: string): Promise<void>;
  /** All at once. The hash may be known. */
  file(path: string, bytes: Uint8Array, sha256?: string): Promise<WrittenFile>;
  /** A file of this machine, copied by the system; only where files stay files. */
  copy?(path: string, from: string, sha256: string): Promise<WrittenFile>;
  /** Piece by piece. */
  stream(path: string, chunks: AsyncIterable<Uint8Array | string>): Promise<WrittenFile>;
  /** Makes the export appear under its name, all at once. Gives its size in bytes. */
  finish(): Promise<{ bytes: number }>;
  /** Leaves what was written for the next attempt. */
  pause(): Promise<void>;
}

export interface WrittenFile {
  sha256: string;
  bytes: number;
}

/** An entry that is whole: written after its bytes were, read when an export is taken up again. */
export interface Entry {
  path: string;
  sha256: string;
  bytes: number;
  /** Where the next entry of an archive begins. */
  end: number;
  crc?: number;
}

const LINES_PER_WRITE = 64;

/**
 * What an export has written so far, one JSON line each. The first line says what is being written, so that the rest
 * of another export is never taken for this one's.
 */
export class Journal {
  private readonly waiting: string[] = [];

  private constructor(
    private readonly handle: FileHandle,
    readonly entries: Entry[],
  ) {}

  /**
   * `check` gives back those entries whose bytes are really there: after a crash of the machine the journal may know of
   * files that never reached the disk.
   */
  static async open(
    file: string,
    what: string,
    check: (entries: readonly Entry[]) => Promise<Entry[]>,
  ): Promise<Journal> {
    const entries = await check(await readJournal(file, what));
    const lines = [{ what }, ...entries].map((line) => `${JSON.stringify(line)}\n`);
    // Beside, then by rename: on a full disk the journal of the last attempt stays as it was.
    await writeFile(`${file}.new`, lines.join(''), { mode: 0o600 });
    await rename(`${file}.new`, file);
    return new Journal(await open(file, 'a', 0o600), entries);
  }

  /** Written a few at a time: what a crash takes from the journal is written again. */
  async add(entry: Entry): Promise<void> {
    this.entries.push(entry);
    this.waiting.push(`${JSON.stringify(entry)}\n`);
    if (this.waiting.length >= LINES_PER_WRITE) await this.flush();
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.handle.close();
    }
  }

  private async flush(): Promise<void> {
    const lines = this.waiting.splice(0);
    if (lines.length > 0) await this.handle.appendFile(lines.join(''));
  }
}

async function readJournal(file: string, what: string): Promise<Entry[]> {
  const [first, ...lines] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  if (first !== JSON.stringify({ what })) return [];
  const entries: Entry[] = [];
  for (const line of lines) {
    try {
      entries.push(JSON.parse(line) as Entry);
    } catch {
      // Torn by a crash: what comes after it cannot be trusted either.
      break;
    }
  }
  return entries;
}

/** Bytes that are written together: every write costs a turn of the event loop. */
const BYTES_PER_WRITE = 256 * 1024;

/** The same bytes in fewer pieces. */
export async function* coalesceChunks(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    waiting.push(piece);
    held += piece.length;
    if (held < BYTES_PER_WRITE) continue;
    yield joined(waiting);
    waiting = [];
    held = 0;
  }
  if (held > 0) yield joined(waiting);
}

const joined = (pieces: Uint8Array[]): Uint8Array =>
  pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);

/** sha256 of some bytes of a file; null when they are not all there. */
export async function hashRange(file: string, start: number, bytes: number): Promise<string | null> {
  const hash = createHash('sha256');
  let read = 0;
  if (bytes > 0) {
    try {
      for await (const chunk of createReadStream(file, { start, end: start + bytes - 1 })) {
        hash.update(chunk);
        read += chunk.length;
      }
    } catch {
      return null;
    }
  }
  return read === bytes ? hash.digest('hex') : null;
}

/** Runs work in the background, a few pieces at once; the first failure is told at the next call and at the end. */
export class TaskPool {
  readonly #running = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;

  constructor(private readonly most: number) {}

  async start(work: () => Promise<void>): Promise<void> {
    if (this.#running.size >= this.most) await Promise.race(this.#running);
    this.#tell();
    const piece: Promise<void> = work()
      .catch((error) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(piece));
    this.#running.add(piece);
  }

  async end(): Promise<void> {
    await Promise.all(this.#running);
    this.#tell();
  }

  #tell(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

/** The same, but one piece after the other: only so many wait for their turn. */
export class SerialTasks {
  readonly #waiting: TaskPool;
  #last: Promise<unknown> = Promise.resolve();

  constructor(most: number) {
    this.#waiting = new TaskPool(most);
  }

  start(work: () => Promise<void>): Promise<void> {
    return this.#waiting.start(() => {
      const mine = this.#last.then(work);
      this.#last = mine.catch(() => {});
      return mine;
    });
  }

  end(): Promise<void> {
    return this.#waiting.end();
  }
}
