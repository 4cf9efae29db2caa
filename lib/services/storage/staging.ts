import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { TesseraError } from '@/lib/core/errors';
import { resolveInside } from './blobs';
import type { ByteSource } from './types';

export interface Received {
  sha256: string;
  bytes: number;
  file: string;
  discard(): Promise<void>;
}

/** A folder for incoming files, which are hashed and then named by their content. */
export function stagingArea(folder: string) {
  return {
    async receive(source: ByteSource, maxBytes: number = Number.POSITIVE_INFINITY): Promise<Received> {
      const file = resolveInside(folder, randomUUID());
      // On a read-only disk the file stays; the collector removes it later.
      const discard = () => rm(file, { force: true }).catch(() => {});
      try {
        await mkdir(folder, { recursive: true });
        return { ...(await writeHashed(file, source, maxBytes)), file, discard };
      } catch (error) {
        await discard();
        throw explainDisk(error);
      }
    },

    /** Deletes what interrupted writers left behind and returns how many files that were. */
    async sweep(olderThan: Date): Promise<number> {
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

async function writeHashed(file: string, source: ByteSource, maxBytes: number) {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const chunk of Buffer.isBuffer(source) ? [source] : source) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes)
        throw new TesseraError('too-large', `The file is larger than ${maxBytes} bytes, the maximum.`);
      hash.update(chunk);
      await writeAll(handle, chunk);
    }
    // Without this, a power failure after the rename could leave a file without its content.
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

export async function statOrNull(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
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
  EFBIG:
    'The file is larger than this disk or this account allows. Raise the limit (ulimit -f) or use another disk.',
  EROFS: 'The disk that holds the pictures is read-only. Make it writable, then try again.',
  EACCES: 'The folder of the pictures cannot be written: check its owner and rights.',
  EIO: 'The disk that holds the pictures reports an error. Check it, then try again.',
};

export function explainDisk(error: unknown): unknown {
  const message = diskFaults[(error as NodeJS.ErrnoException)?.code ?? ''];
  return message ? new TesseraError('unavailable', message) : error;
}
