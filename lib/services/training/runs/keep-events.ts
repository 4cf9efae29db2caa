import { createReadStream } from 'node:fs';
import path from 'node:path';
import { and, asc, eq, gt, inArray, like, max, or } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { putBlob, resolveInside, type Storage } from '@/lib/services/storage';
import type { RunEvent } from './follow-events';

const { runEvents, runFiles, runs } = tables;

/** The last event that the database has. */
export async function lastSeq(db: Db, runId: string): Promise<number> {
  const [row] = await db
    .select({ seq: max(runEvents.seq) })
    .from(runEvents)
    .where(eq(runEvents.runId, runId));
  return row?.seq ?? 0;
}

/** Writes down what a trainer told; told twice, it is there once. */
export async function keepEvents(db: Db, runId: string, events: readonly RunEvent[]): Promise<void> {
  for (const some of chunks(events))
    await db
      .insert(runEvents)
      .values(
        some.map(({ seq, t, kind, ...document }) => ({
          runId,
          seq,
          kind: String(kind).slice(0, 80),
          document,
          at: new Date(t * 1000),
        })),
      )
      .onConflictDoNothing();
}

export const mediaTypeOf = (file: string): string =>
  file.endsWith('.json')
    ? 'application/json'
    : file.endsWith('.txt')
      ? 'text/plain'
      : 'application/octet-stream';

/** Puts a file of the job directory into the store and notes it under its path. */
export async function keepFile(
  db: Database,
  storage: Storage,
  runId: string,
  folder: string,
  file: string,
): Promise<{ sha256: string; bytes: number }> {
  const blob = await putBlob(db, storage, createReadStream(resolveInside(folder, file)), {
    mediaType: mediaTypeOf(file),
  });
  await db
    .insert(runFiles)
    .values({ runId, path: file, blob: blob.sha256, bytes: blob.bytes })
    .onConflictDoUpdate({
      target: [runFiles.runId, runFiles.path],
      set: { blob: blob.sha256, bytes: blob.bytes },
    });
  return blob;
}

/** Keeps the newest checkpoint where every machine can get it. */
export async function keepCheckpoint(
  db: Database,
  storage: Storage,
  runId: string,
  folder: string,
): Promise<void> {
  const file = path.join(folder, 'checkpoints', 'last.pt');
  const { sha256 } = await putBlob(db, storage, createReadStream(file), {
    mediaType: 'application/octet-stream',
  });
  await db.update(runs).set({ checkpoint: sha256 }).where(eq(runs.id, runId));
}

/** A statement has at most 65,535 values. */
const ROWS_AT_ONCE = 1000;

/** Rows in as many pieces as a statement can take. */
export function* chunks<T>(rows: readonly T[], size = ROWS_AT_ONCE): Generator<T[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

export interface StoredEvent {
  seq: number;
  kind: string;
  document: Record<string, unknown>;
  at: Date;
}

/** What a run told, from an event on: for curves and the log of a page. */
export async function listEvents(
  db: Db,
  {
    runId,
    after = 0,
    kinds,
    limit = 5000,
  }: { runId: string; after?: number; kinds?: string[]; limit?: number },
): Promise<StoredEvent[]> {
  return db
    .select({
      seq: runEvents.seq,
      kind: runEvents.kind,
      document: runEvents.document,
      at: runEvents.at,
    })
    .from(runEvents)
    .where(
      and(
        eq(runEvents.runId, runId),
        gt(runEvents.seq, after),
        kinds ? inArray(runEvents.kind, kinds) : undefined,
      ),
    )
    .orderBy(asc(runEvents.seq))
    .limit(limit);
}

/** What a run made; not what is kept for a trainer elsewhere while it is open. */
export async function listRunFiles(db: Db, runId: string) {
  return db
    .select({ path: runFiles.path, sha256: runFiles.blob, bytes: runFiles.bytes })
    .from(runFiles)
    .where(
      and(eq(runFiles.runId, runId), or(like(runFiles.path, 'artifacts/%'), eq(runFiles.path, 'log.txt'))),
    )
    .orderBy(asc(runFiles.path));
}
