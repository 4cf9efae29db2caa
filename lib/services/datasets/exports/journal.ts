import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises';

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
    if (this.waiting.length >= TOGETHER) await this.flush();
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
