import type { Db } from '@/db';
import { invalid } from '@/lib/core/errors';
import { putBlob, readAll, type Storage } from '@/lib/services/storage';
import { LARGEST_TABLE, readGivenSplit } from './given-split';

/** Of its own, so that no other file of the store can be named as a table. */
export const splitTableType = 'application/x-tessera-split';

/** Keeps the table of a split that is given by file, once it can be read. */
export async function storeSplitTable(
  db: Db,
  storage: Storage,
  body: AsyncIterable<Uint8Array> | null,
): Promise<{ sha256: string; rows: number; splits: string[] }> {
  if (!body) throw invalid('Send the table as the body.');
  const bytes = await readAll(body, LARGEST_TABLE);
  const given = readGivenSplit(bytes.toString('utf8'));
  const { sha256 } = await putBlob(db, storage, bytes, { mediaType: splitTableType });
  return { sha256, rows: given.size, splits: [...new Set(given.values())].sort() };
}
