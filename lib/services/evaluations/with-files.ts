import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '@/lib/services/storage';

/** Blobs as files of a folder of their own while something reads them: by name, null where there is none. */
export async function withFiles<Name extends string, T>(
  storage: Storage,
  blobs: Readonly<Record<Name, string | null>>,
  work: (files: Record<Name, string | null>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-evaluate-'));
  try {
    const files = {} as Record<Name, string | null>;
    for (const [name, blob] of Object.entries(blobs) as [Name, string | null][]) {
      const file = blob && path.join(folder, name);
      if (blob && file) await pipeline(await storage.get(blob), createWriteStream(file));
      files[name] = file;
    }
    return await work(files);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
