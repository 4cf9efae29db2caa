import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { tarLayout } from '@/lib/services/datasets/exports/tar-layout';
import { resolveInside } from '@/lib/services/storage';

type Bytes = Uint8Array | AsyncIterable<Uint8Array>;

/** Where the files of a backup go, one after the other. */
export interface BackupSink {
  /** The size is known before: a tar says it first. */
  write(file: string, bytes: number, content: Bytes): Promise<{ sha256: string }>;
  close(): Promise<void>;
}

/** Readable for its owner only: a backup holds everything that the instance knows. */
const PRIVATE = 0o600;

export function folderSink(folder: string): BackupSink {
  return {
    async write(file, bytes, content) {
      const place = resolveInside(folder, file);
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      const handle = await open(place, 'wx', PRIVATE);
      try {
        const written = await pass(content, bytes, (chunk) => handle.writeFile(chunk));
        await handle.sync();
        return written;
      } finally {
        await handle.close();
      }
    },
    close: async () => {},
  };
}

export async function tarSink(file: string): Promise<BackupSink> {
  const handle = await open(file, 'wx', PRIVATE);
  const put = (chunk: Uint8Array) => handle.writeFile(chunk);
  return {
    async write(name, bytes, content) {
      await put(tarLayout.header({ path: name, bytes, crc: 0 }));
      const written = await pass(content, bytes, put);
      await put(Buffer.alloc(tarLayout.padding(bytes)));
      return written;
    },
    async close() {
      try {
        for (const block of tarLayout.closing([], 0)) await put(block);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}

async function pass(content: Bytes, bytes: number, put: (chunk: Uint8Array) => Promise<void>) {
  const hash = createHash('sha256');
  let passed = 0;
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    passed += chunk.byteLength;
    hash.update(chunk);
    await put(chunk);
  }
  if (passed !== bytes) throw new Error('A file of the store changed its size while it was read.');
  return { sha256: hash.digest('hex') };
}
