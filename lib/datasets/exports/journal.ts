import { type FileHandle, open, readFile, truncate } from 'node:fs/promises';

/** An entry that is whole: written after its bytes were, read when an export is taken up again. */
export interface Entry {
  path: string;
  sha256: string;
  bytes: number;
  /** Where the next entry of an archive begins. */
  end: number;
  crc?: number;
}

const TOGETHER = 64;

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

  /** `isThere` says whether the bytes that the entries speak of are: without them everything is written anew. */
  static async open(
    file: string,
    what: string,
    isThere: (entries: readonly Entry[]) => Promise<boolean>,
  ): Promise<Journal> {
    const read = await readJournal(file, what);
    const found = read && (await isThere(read.entries)) ? read : null;
    // A line that a crash cut off goes, or the next one would be glued to it.
    if (found) await truncate(file, found.bytes);
    const handle = await open(file, found ? 'a' : 'w', 0o600);
    if (!found) await handle.appendFile(`${JSON.stringify({ what })}\n`);
    return new Journal(handle, found?.entries ?? []);
  }

  /** Written a few at a time: what a crash takes from the journal is written again. */
  async add(entry: Entry): Promise<void> {
    this.entries.push(entry);
    this.waiting.push(`${JSON.stringify(entry)}\n`);
    if (this.waiting.length >= TOGETHER) await this.flush();
  }

  async close(): Promise<void> {
    await this.flush();
    await this.handle.close();
  }

  private async flush(): Promise<void> {
    const lines = this.waiting.splice(0);
    if (lines.length > 0) await this.handle.appendFile(lines.join(''));
  }
}

async function readJournal(file: string, what: string): Promise<{ entries: Entry[]; bytes: number } | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [first, ...lines] = whole.split('\n').slice(0, -1);
  if (!first || first !== JSON.stringify({ what })) return null;
  return { entries: lines.map((line) => JSON.parse(line) as Entry), bytes: Buffer.byteLength(whole) };
}
