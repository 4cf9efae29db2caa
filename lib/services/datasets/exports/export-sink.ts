import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises';

/** The destination of an export: a folder, zip or tar. */
export interface Sink {
  /** Files that an interrupted attempt has already written, in order. */
  readonly kept: ReadonlyMap<string, WrittenFile>;
  /** Whether several files can be written at the same time. False for archives. */
  readonly acceptsConcurrentWrites: boolean;
  folder(path: string): Promise<void>;
  /** Writes a whole file. `sha256` avoids hashing if it is known. */
  file(path: string, bytes: Uint8Array, sha256?: string): Promise<WrittenFile>;
  /** Copies a local file. Only folders support this. */
  copy?(path: string, from: string, sha256: string): Promise<WrittenFile>;
  /** Writes a file from chunks. */
  stream(path: string, chunks: AsyncIterable<Uint8Array | string>): Promise<WrittenFile>;
  /** Moves the export to its final name atomically. Returns its size in bytes. */
  finish(): Promise<{ bytes: number }>;
  /** Closes the sink and keeps the written files for the next attempt. */
  pause(): Promise<void>;
}

export interface WrittenFile {
  sha256: string;
  bytes: number;
}

/** A completed entry: journalled after its bytes were written, and read when an export resumes. */
export interface Entry {
  path: string;
  sha256: string;
  bytes: number;
  /** Offset of the next entry in an archive. */
  end: number;
  crc?: number;
}

const LINES_PER_WRITE = 64;

/**
 * The journal of an export: one JSON line per completed entry. The first line identifies the export, so that leftovers
 * of another export are not reused.
 */
export class Journal {
  private readonly waiting: string[] = [];

  private constructor(
    private readonly handle: FileHandle,
    readonly entries: Entry[],
  ) {}

  /**
   * `check` returns the entries whose bytes are present. After a system crash the journal can list files that never
   * reached the disk.
   */
  static async open(
    file: string,
    what: string,
    check: (entries: readonly Entry[]) => Promise<Entry[]>,
  ): Promise<Journal> {
    const entries = await check(await readJournal(file, what));
    const lines = [{ what }, ...entries].map((line) => `${JSON.stringify(line)}\n`);
    // Written to a new file and renamed, so that a full disk does not damage the previous journal.
    await writeFile(`${file}.new`, lines.join(''), { mode: 0o600 });
    await rename(`${file}.new`, file);
    return new Journal(await open(file, 'a', 0o600), entries);
  }

  /** Adds an entry. Lines are written in batches; entries lost in a crash are exported again. */
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
      // The line was cut off by a crash; ignore it and everything after it.
      break;
    }
  }
  return entries;
}

/** Minimum bytes per write, because every write takes a turn of the event loop. */
const BYTES_PER_WRITE = 256 * 1024;

/** Combines small chunks into larger ones. */
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

/** Hashes a byte range of a file. Returns null if the range is incomplete. */
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

/**
 * Runs tasks in the background. `start` waits while `most` tasks are running, which p-limit does not do: its queue would
 * keep the content of all files in memory. The first failure is thrown by the next `start` or by `end`.
 */
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

/** A `TaskPool` that runs one task after the other; `start` waits while `most` tasks are queued. */
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
