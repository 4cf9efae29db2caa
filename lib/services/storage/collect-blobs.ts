import { and, inArray, lt, not, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type Database, type Transaction, tables } from '@/db';
import type { Storage } from './types';

const { blobs } = tables;

interface Collected {
  blobs: number;
  bytes: number;
  /** Files without a row, left by a transaction that was rolled back after storing its bytes. */
  strays: number;
  staged: number;
}

interface CollectOptions {
  /** Minimum age of deleted blobs. */
  graceMs?: number;
  signal?: AbortSignal;
  progress?(deleted: number): Promise<void> | void;
}

/** Longer than the slowest writer needs from storing a blob to referencing it. */
const oneDay = 24 * 60 * 60 * 1000;
const batchSize = 100;

/**
 * Deletes unreferenced blobs. Safe with concurrent writers and collectors. Deletes nothing during a backup, because the
 * backup's snapshot still references the files.
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
 * Locks the rows until their files are deleted. A writer of the same content waits for the row and then stores both
 * again; a writer that came first has updated touched_at, so the row is not selected.
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

/** Prevents backups until the end of the transaction. Returns false if one is running. */
async function lockAgainstBackup(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.execute<{ may: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${backupLock}) as may`,
  );
  return rows[0]?.may === true;
}

const unused = (table: unknown, column: unknown): SQL =>
  not(sql`exists (select 1 from ${table} where ${column} = ${blobs.sha256})`);

/** Locks the name by inserting and rolling back a row, so that no writer finds the file while it is deleted. */
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

/** Every column that references a blob. A test compares this list with the database. */
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
 * Whether any row references a blob. A referenced blob must have its file. An unreferenced one can lack it if its writer
 * stopped between the two.
 */
export async function isReferenced(db: Pick<Database, 'execute'>, sha256: string): Promise<boolean> {
  const uses = blobReferences.map(
    ({ table, column }) => sql`exists (select 1 from ${table} where ${column} = ${sha256})`,
  );
  const { rows } = await db.execute<{ is: boolean }>(sql`select ${sql.join(uses, sql` or `)} as is`);
  return rows[0]?.is === true;
}

/** Advisory lock number: exclusive for backups, shared for collectors. */
export const backupLock = 7_355_609;
