import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { ByteSource, Storage } from './types';

export interface PutBlob {
  mediaType: string;
  maxBytes?: number;
}

/**
 * Stores bytes and the row that stands for them. The row is touched before the bytes are placed: a
 * collector that holds the row makes us wait and lets us write anew, one that comes later sees it touched.
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
