import { and, inArray, lt, not, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type Database, type Transaction, tables } from '@/db';
import type { Storage } from './types';

const { blobs } = tables;

interface Collected {
  blobs: number;
  bytes: number;
  /** Files without a row: a transaction was rolled back after its bytes had been placed. */
  strays: number;
  staged: number;
}

interface CollectOptions {
  /** Only what nobody has put for this long goes. */
  graceMs?: number;
  signal?: AbortSignal;
  progress?(deleted: number): Promise<void> | void;
}

/** Time enough for the slowest writer to get from its first put to the row that refers to it. */
const oneDay = 24 * 60 * 60 * 1000;
const batchSize = 100;

/**
 * Deletes what nothing refers to. Safe beside any number of writers and other collectors; while a backup is made
 * it deletes nothing, for the rows that the backup has seen still speak of the files.
 */
export async function collectBlobs(
  db: Database,
  storage: Storage,
  options: CollectOptions = {},
): Promise<Collected> {
  const cutoff = new Date(Date.now() - (options.graceMs ?? oneDay));
  const collected: Collected = { blobs: 0, bytes: 0, strays: 0, staged: 0 };
  for (;;) {
    options.signal?.throwIfAborted();
    const batch = await collectBatch(db, storage, cutoff);
    collected.blobs += batch.length;
    collected.bytes += batch.reduce((sum, blob) => sum + blob.bytes, 0);
    await options.progress?.(collected.blobs);
    if (batch.length < batchSize) break;
  }
  for await (const file of storage.list()) {
    options.signal?.throwIfAborted();
    if (file.modifiedAt < cutoff && (await collectStray(db, storage, file.sha256))) collected.strays += 1;
  }
  collected.staged = await storage.sweepStaged(cutoff);
  return collected;
}

/**
 * The rows stay locked until their files are gone. A writer of the same content waits on the row, then
 * writes both again; a writer that came first has moved touched_at, and the row is not chosen.
 */
async function collectBatch(db: Database, storage: Storage, cutoff: Date) {
  return db.transaction(async (tx) => {
    if (!(await lockAgainstBackup(tx))) return [];
    const doomed = await tx
      .select({ sha256: blobs.sha256, bytes: blobs.bytes })
      .from(blobs)
      .where(
        and(lt(blobs.touchedAt, cutoff), ...blobReferences.map(({ table, column }) => unused(table, column))),
      )
      .limit(batchSize)
      .for('update', { skipLocked: true });
    if (doomed.length === 0) return doomed;
    await tx.delete(blobs).where(
      inArray(
        blobs.sha256,
        doomed.map((blob) => blob.sha256),
      ),
    );
    for (const { sha256 } of doomed) await storage.delete(sha256);
    return doomed;
  });
}

/** To the end of the transaction no backup begins; false when one is being made. */
async function lockAgainstBackup(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.execute<{ may: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${backupLock}) as may`,
  );
  return rows[0]?.may === true;
}

const unused = (table: unknown, column: unknown): SQL =>
  not(sql`exists (select 1 from ${table} where ${column} = ${blobs.sha256})`);

/** A row inserted and taken back locks the name, so that no writer finds the file in the moment it goes. */
async function collectStray(db: Database, storage: Storage, sha256: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockAgainstBackup(tx))) return false;
    const [row] = await tx
      .insert(blobs)
      .values({ sha256, bytes: 0, mediaType: 'application/octet-stream' })
      .onConflictDoNothing()
      .returning({ sha256: blobs.sha256 });
    if (!row) return false;
    await storage.delete(sha256);
    await tx.delete(blobs).where(inArray(blobs.sha256, [sha256]));
    return true;
  });
}

/** Every column that keeps a blob alive. A test asks the database whether one is missing here. */
export const blobReferences: readonly { table: PgTable; column: PgColumn }[] = [
  { table: tables.images, column: tables.images.blob },
  { table: tables.derivatives, column: tables.derivatives.blob },
  { table: tables.uploadFiles, column: tables.uploadFiles.blob },
  { table: tables.guidePictures, column: tables.guidePictures.blob },
  { table: tables.versions, column: tables.versions.manifest },
  { table: tables.versionImages, column: tables.versionImages.blob },
  { table: tables.exports, column: tables.exports.blob },
  { table: tables.runs, column: tables.runs.checkpoint },
  { table: tables.runFiles, column: tables.runFiles.blob },
  { table: tables.models, column: tables.models.blob },
  { table: tables.modelFiles, column: tables.modelFiles.blob },
  { table: tables.oracleChains, column: tables.oracleChains.blob },
  { table: tables.evaluationTransfers, column: tables.evaluationTransfers.blob },
];

/**
 * Whether any row calls for a blob. One that is called for has its file; one that is not may have lost its writer
 * between the row and the file, and is the collector's.
 */
export async function isReferenced(db: Pick<Database, 'execute'>, sha256: string): Promise<boolean> {
  const uses = blobReferences.map(
    ({ table, column }) => sql`exists (select 1 from ${table} where ${column} = ${sha256})`,
  );
  const { rows } = await db.execute<{ is: boolean }>(sql`select ${sql.join(uses, sql` or `)} as is`);
  return rows[0]?.is === true;
}

/** Any number; whoever makes a backup holds it alone, and whoever deletes files holds it with others of its kind. */
export const backupLock = 7_355_609;
