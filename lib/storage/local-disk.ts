import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { invalid, notFound, TesseraError } from '../errors';
import { resolveInside } from './resolve-inside';
import { isSha256 } from './sha256';
import type { ByteSource, Staged, Storage, StoredBlob } from './types';

const stagingFolder = 'staging';

/** Large blobs are read in few pieces: each costs a turn of the event loop. */
const CHUNK = 256 * 1024;

/** Files named by their hash, two levels deep so that no folder grows beyond what tools can list. */
export function localDisk(root: string): Storage {
  const placeOf = (sha256: string): string => {
    if (!isSha256(sha256)) throw invalid('A blob is named by 64 hexadecimal digits.');
    return resolveInside(root, path.join(sha256.slice(0, 2), sha256.slice(2, 4), sha256));
  };

  return {
    async stage(source, limits = {}) {
      const folder = resolveInside(root, stagingFolder);
      await mkdir(folder, { recursive: true });
      const file = resolveInside(folder, randomUUID());
      const discard = () => rm(file, { force: true });
      try {
        const written = await writeHashed(file, source, limits.maxBytes ?? Number.POSITIVE_INFINITY);
        return staged(written, file, placeOf(written.sha256), discard);
      } catch (error) {
        await discard();
        throw explain(error);
      }
    },

    async get(sha256, range) {
      const file = placeOf(sha256);
      if (!(await statOrNull(file))) throw notFound('file');
      return createReadStream(file, { ...range, highWaterMark: CHUNK });
    },

    async read(sha256, maxBytes) {
      const file = placeOf(sha256);
      const found = await statOrNull(file);
      if (!found) throw notFound('file');
      if (found.size > maxBytes)
        throw new TesseraError('too-large', `The file is larger than ${maxBytes} bytes, the most allowed.`);
      return readFile(file);
    },

    async stat(sha256) {
      const found = await statOrNull(placeOf(sha256));
      return found && { sha256, bytes: found.size, modifiedAt: found.mtime };
    },

    place: placeOf,

    async delete(sha256) {
      await rm(placeOf(sha256), { force: true });
    },

    async *list() {
      for (const first of await namesIn(root, /^[0-9a-f]{2}$/)) {
        const outer = resolveInside(root, first);
        for (const second of await namesIn(outer, /^[0-9a-f]{2}$/)) {
          const inner = resolveInside(outer, second);
          for (const sha256 of await namesIn(inner, /^[0-9a-f]{64}$/)) {
            const found = await statOrNull(resolveInside(inner, sha256));
            if (found) yield { sha256, bytes: found.size, modifiedAt: found.mtime } satisfies StoredBlob;
          }
        }
      }
    },

    async sweepStaged(olderThan) {
      const folder = resolveInside(root, stagingFolder);
      let swept = 0;
      for (const name of await namesIn(folder, /./)) {
        const file = resolveInside(folder, name);
        const found = await statOrNull(file);
        if (!found || found.mtime >= olderThan) continue;
        await rm(file, { force: true });
        swept += 1;
      }
      return swept;
    },
  };
}

function staged(
  written: { sha256: string; bytes: number },
  file: string,
  destination: string,
  discard: () => Promise<void>,
): Staged {
  return {
    ...written,
    discard,
    async place() {
      try {
        await mkdir(path.dirname(destination), { recursive: true });
        // A rename over an equal file would be harmless; leaving it alone keeps its age and spares the disk.
        if ((await statOrNull(destination))?.size === written.bytes) await discard();
        else await rename(file, destination);
        await syncFolder(path.dirname(destination));
      } catch (error) {
        await discard();
        throw explain(error);
      }
    },
  };
}

async function writeHashed(file: string, source: ByteSource, maxBytes: number) {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const chunk of Buffer.isBuffer(source) ? [source] : source) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes)
        throw new TesseraError('too-large', `The file is larger than ${maxBytes} bytes, the most allowed.`);
      hash.update(chunk);
      await writeAll(handle, chunk);
    }
    // Without this a power cut after the rename could leave a name whose content never reached the disk.
    await handle.sync();
  } finally {
    await handle.close();
    if (source instanceof Readable) source.destroy();
  }
  return { sha256: hash.digest('hex'), bytes };
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let from = 0;
  while (from < chunk.byteLength) from += (await handle.write(chunk, from)).bytesWritten;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function statOrNull(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const diskFaults: Record<string, string> = {
  ENOSPC: 'The disk that holds the pictures is full. Free some space, then try again.',
  EDQUOT: 'The disk quota for the pictures is used up. Free some space, then try again.',
  EROFS: 'The disk that holds the pictures is read-only.',
  EACCES: 'The folder of the pictures cannot be written: check its owner and rights.',
};

function explain(error: unknown): unknown {
  const message = diskFaults[(error as NodeJS.ErrnoException)?.code ?? ''];
  return message ? new TesseraError('unavailable', message) : error;
}
