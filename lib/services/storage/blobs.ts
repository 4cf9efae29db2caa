import { createHash } from 'node:crypto';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { invalid, TesseraError } from '@/lib/core/errors';
import type { ByteSource, Storage } from './types';

interface PutBlob {
  mediaType: string;
  maxBytes?: number;
}

/**
 * Stores bytes and their row. The row is touched before the bytes are stored: if a collector has locked the row, this
 * waits and stores again; a later collector sees the new timestamp.
 */
export async function putBlob(
  db: Db,
  storage: Storage,
  source: ByteSource,
  options: PutBlob,
): Promise<{ sha256: string; bytes: number }> {
  const staged = await storage.stage(source, { maxBytes: options.maxBytes });
  const { sha256, bytes } = staged;
  try {
    await db
      .insert(tables.blobs)
      .values({ sha256, bytes, mediaType: options.mediaType })
      .onConflictDoUpdate({ target: tables.blobs.sha256, set: { touchedAt: sql`now()` } });
  } catch (error) {
    await staged.discard();
    throw error;
  }
  await staged.place();
  return { sha256, bytes };
}

/** Reads a stream into memory, up to a limit. */
export async function readAll(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw new TesseraError('too-large', `The file is larger than ${maxBytes} bytes, the maximum.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

const pattern = /^[0-9a-f]{64}$/;

export const isSha256 = (text: string): boolean => pattern.test(text);

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Resolves a relative name inside a root folder. Throws if it would leave the root. */
export function resolveInside(root: string, relative: string): string {
  const base = path.resolve(root);
  const resolved = path.resolve(base, relative);
  const steps = path.relative(base, resolved);
  const outside = steps === '..' || steps.startsWith(`..${path.sep}`) || path.isAbsolute(steps);
  if (relative.includes('\0') || path.isAbsolute(relative) || steps === '' || outside) {
    throw invalid('The name points outside of its folder. Use a relative name without "..".');
  }
  return resolved;
}
