import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { invalid, notFound, TesseraError } from '@/lib/core/errors';
import { isSha256, resolveInside } from './blobs';
import { explainDisk, namesIn, type Received, stagingArea, statOrNull } from './staging';
import type { Staged, Storage, StoredBlob } from './types';

/** Chunk size of reads; every chunk takes a turn of the event loop. */
const CHUNK = 256 * 1024;

/** Stores files by hash, two levels deep to keep folders small. */
export function localDisk(root: string): Storage {
  const area = stagingArea(resolveInside(root, 'staging'));
  const placeOf = (sha256: string): string => {
    if (!isSha256(sha256)) throw invalid('Invalid blob name. Use 64 hexadecimal digits.');
    return resolveInside(root, path.join(sha256.slice(0, 2), sha256.slice(2, 4), sha256));
  };

  return {
    async stage(source, limits = {}) {
      const received = await area.receive(source, limits.maxBytes);
      return staged(received, placeOf(received.sha256));
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
        throw new TesseraError('too-large', `The file is larger than ${maxBytes} bytes, the maximum.`);
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

    sweepStaged: area.sweep,
  };
}

function staged({ sha256, bytes, file, discard }: Received, destination: string): Staged {
  return {
    sha256,
    bytes,
    discard,
    async place() {
      try {
        await mkdir(path.dirname(destination), { recursive: true });
        // An equal file is kept, which preserves its age and avoids a write.
        if ((await statOrNull(destination))?.size === bytes) await discard();
        else await rename(file, destination);
        await syncFolder(path.dirname(destination));
      } catch (error) {
        await discard();
        throw explainDisk(error);
      }
    },
  };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
