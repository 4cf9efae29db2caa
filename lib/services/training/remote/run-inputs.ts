import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { and, asc, eq, like, or, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { putBlob, type Storage } from '@/lib/services/storage';
import { keepFile } from '../runs/keep-events';
import { type Hold, heldRun, type Trainer } from './lease';
import { CHECKPOINT } from './receive-events';

const { blobs, runFiles } = tables;

/** Stored last. If it exists, all inputs of the run are complete. */
export const MANIFEST = 'data/manifest.json';

const isInput = or(eq(runFiles.path, 'job.json'), like(runFiles.path, 'data/%'));

/** Lists the inputs of a remote trainer: the spec and the snapshot, stored as blobs while the run is open. */
export const listInputs = (db: Db, runId: string) =>
  db
    .select({ path: runFiles.path, sha256: runFiles.blob, bytes: runFiles.bytes })
    .from(runFiles)
    .where(and(eq(runFiles.runId, runId), isInput))
    .orderBy(asc(runFiles.path));

/** Stores the spec and the snapshot of a job directory as blobs, which remote trainers download by hash. */
export async function publishInputs(
  db: Database,
  storage: Storage,
  runId: string,
  folder: string,
): Promise<void> {
  const { path: data } = JSON.parse(await readFile(path.join(folder, 'data.json'), 'utf8')) as {
    path: string;
  };
  const snapshot = path.resolve(folder, data);
  const manifest = JSON.parse(await readFile(path.join(snapshot, 'manifest.json'), 'utf8')) as {
    files: Record<string, { bytes: number; sha256: string }>;
  };
  await keepFile(db, storage, runId, folder, 'job.json');
  for (const [name, { sha256 }] of Object.entries(manifest.files)) {
    // Runs of one version share their snapshot. Files that are already stored are not written again.
    const [known] = await db
      .update(blobs)
      .set({ touchedAt: sql`now()` })
      .where(eq(blobs.sha256, sha256))
      .returning({ sha256: blobs.sha256, bytes: blobs.bytes });
    const isThere = known && (await storage.stat(sha256)) !== null;
    const blob = isThere ? known : await putFile(db, storage, path.join(snapshot, name));
    await note(db, runId, `data/${name}`, blob);
  }
  await note(db, runId, MANIFEST, await putFile(db, storage, path.join(snapshot, 'manifest.json')));
}

/** Removes the references of a finished run to its inputs and check files. Blobs without references are collected later. */
export async function dropInputs(db: Db, runId: string): Promise<void> {
  await db
    .delete(runFiles)
    .where(and(eq(runFiles.runId, runId), or(isInput, like(runFiles.path, 'check/%'))));
}

const putFile = (db: Database, storage: Storage, file: string) =>
  putBlob(db, storage, createReadStream(file), { mediaType: 'application/octet-stream' });

async function note(db: Db, runId: string, name: string, blob: { sha256: string; bytes: number }) {
  await db
    .insert(runFiles)
    .values({ runId, path: name, blob: blob.sha256, bytes: blob.bytes })
    .onConflictDoUpdate({
      target: [runFiles.runId, runFiles.path],
      set: { blob: blob.sha256, bytes: blob.bytes },
    });
}

/** Finds the blob of an input of a run (spec, snapshot file or last checkpoint) for its trainer. */
export async function findInput(db: Db, trainer: Trainer, hold: Hold, path: string): Promise<string> {
  const run = await heldRun(db, trainer, hold);
  const sha256 =
    path === CHECKPOINT
      ? run.checkpoint
      : (await listInputs(db, hold.runId)).find((input) => input.path === path)?.sha256;
  if (!sha256) throw notFound('file');
  return sha256;
}
