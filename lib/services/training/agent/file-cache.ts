import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { patiently, Unable } from './platform';

/** Snapshots that no run has used for so long are fetched again when one does. */
const UNUSED_MS = 14 * 24 * 3_600_000;

export interface Wanted {
  sha256: string;
  bytes: number;
  /** The bytes from an offset on. */
  open(from: number): Promise<Response>;
}

/** Files by their hash: many runs train on one snapshot, and a download that was cut goes on where it ended. */
export class FileCache {
  constructor(private readonly folder: string) {}

  /** Makes the file appear at a place, whole and with the right content. */
  async fetch(wanted: Wanted, place: string, until: AbortSignal): Promise<void> {
    const file = path.join(this.folder, wanted.sha256);
    await mkdir(this.folder, { recursive: true });
    if (!(await this.#isWhole(file, wanted))) await this.#download(file, wanted, until);
    const now = new Date();
    await utimes(file, now, now);
    await mkdir(path.dirname(place), { recursive: true });
    await rm(place, { force: true });
    await link(file, place).catch(() => copyFile(file, place));
  }

  forget = (sha256: string): Promise<void> => rm(path.join(this.folder, sha256), { force: true });

  /** Removes what was not used for a long time. */
  async tidy(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const file = path.join(this.folder, name);
      const found = await stat(file).catch(() => null);
      if (found && now - found.mtimeMs > UNUSED_MS) await rm(file, { force: true });
    }
  }

  async #isWhole(file: string, { bytes }: Wanted): Promise<boolean> {
    // It got its name after its hash was found right; the length tells a disk that was full since.
    return (await stat(file).catch(() => null))?.size === bytes;
  }

  async #download(file: string, wanted: Wanted, until: AbortSignal): Promise<void> {
    const part = `${file}.part`;
    let damaged = 0;
    await patiently(async () => {
      const held = existsSync(part) ? (await stat(part)).size : 0;
      if (held < wanted.bytes || wanted.bytes === 0) {
        await keepWhatComes(await wanted.open(held), part, until);
      }
      const found = await sha256OfFile(part);
      if (found === wanted.sha256) return;
      await rm(part, { force: true });
      // Once is the way here; twice is the file there.
      damaged++;
      if (damaged > 1) throw new Unable('A file arrived damaged, twice: it is damaged in the store.');
      throw new Error('A file arrived damaged.');
    }, until);
    await rename(part, file);
  }
}

/** Each piece is on the disk before the next is read: when the line is cut, what came counts. */
async function keepWhatComes(reply: Response, part: string, until: AbortSignal): Promise<void> {
  const file = await open(part, reply.status === 206 ? 'a' : 'w');
  try {
    for await (const piece of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
      until.throwIfAborted();
      await file.write(piece);
    }
  } finally {
    await file.close();
  }
}

export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
