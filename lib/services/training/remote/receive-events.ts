import { count, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, tables } from '@/db';
import { readConfig } from '@/lib/config';
import { invalid, TesseraError } from '@/lib/core/errors';
import { trainerEvent } from '@/lib/core/training-spec';
import { type ByteSource, putBlob, type Storage } from '@/lib/services/storage';
import type { RunEvent } from '../runs/follow-events';
import { keepEvents, lastSeq, mediaTypeOf } from '../runs/keep-events';
import { type Hold, heldRun, type Trainer } from './lease';

/** The year 2100: a clock that is further off is wrong. */
const LATEST = 4_102_444_800;

export const ReportedEvent = z.looseObject({
  seq: z.number().int().min(1).max(2_000_000_000),
  t: z.number().min(0).max(LATEST),
  attempt: z.number().int().min(1),
  kind: z.string().min(1).max(80),
});

/** Hundreds of thousands of steps, each told; a trainer that tells more is out of order. */
const MAX_EVENTS = 1_000_000;
const MAX_CHARACTERS = 64 * 1024;

/** Writes down what a trainer elsewhere tells; sent twice, it is there once. Returns the last that is known. */
export async function receiveEvents(
  db: Database,
  trainer: Trainer,
  hold: Hold,
  events: readonly RunEvent[],
): Promise<{ lastSeq: number }> {
  return db.transaction(async (tx) => {
    await heldRun(tx, trainer, hold, { lock: true });
    const known = await lastSeq(tx, hold.runId);
    // A gap would never be filled: who reads by number would wait for it.
    const fresh = events.filter(({ seq }) => seq > known);
    if (fresh.some(({ seq }, at) => seq !== known + 1 + at))
      throw invalid(`Events come in order: the next is ${known + 1}.`);
    if (known + fresh.length > MAX_EVENTS) throw invalid(`A run can report at most ${MAX_EVENTS} events.`);
    await keepEvents(
      tx,
      hold.runId,
      fresh.map((event) => readEvent(event, hold.attempt)),
    );
    return { lastSeq: known + fresh.length };
  });
}

/** What the pages of every project compute with: nothing but what the contract says gets in. */
function readEvent(event: RunEvent, attempt: number): RunEvent {
  const parsed = trainerEvent.safeParse(event);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`Event ${event.seq} is not valid: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  if (event.attempt !== attempt)
    throw invalid(`Event ${event.seq} is of attempt ${event.attempt}, not ${attempt}.`);
  // A test tells what became of every image, and so does the end.
  const isLong = event.kind === 'end' || (event.kind === 'metrics' && event.split === 'test');
  if (!isLong && JSON.stringify(event).length > MAX_CHARACTERS)
    throw invalid(`Event ${event.seq} is longer than ${MAX_CHARACTERS} characters.`);
  return parsed.data as RunEvent;
}

const { runFiles, runs } = tables;

export const CHECKPOINT = 'checkpoints/last.pt';

/** A preview for each validation is the most a run makes; a trainer that sends more is out of order. */
const MAX_FILES = 20_000;

/** What all files of a run may have together, in units of the largest one. */
const RUN_UPLOADS = 5;

/** Files that a trainer sends: artefacts, what the export is checked with, the log, the checkpoint. Nothing else. */
const sendable = /^(?:artifacts|check)(\/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}){1,6}$/;

interface SentFile {
  path: string;
  sha256: string;
  source: ByteSource;
  /** What the client says; believed only when it is too much. */
  contentLength?: number;
}

/** Takes one file of a run that trains elsewhere, checked by its hash. Sending it again does no harm. */
export async function receiveRunFile(
  db: Database,
  storage: Storage,
  trainer: Trainer,
  hold: Hold,
  file: SentFile,
): Promise<{ bytes: number }> {
  if (file.path !== 'log.txt' && file.path !== CHECKPOINT && !sendable.test(file.path))
    throw invalid(
      'A trainer sends files below artifacts/ and check/, log.txt and checkpoints/last.pt, nothing else.',
    );
  const maxBytes = Math.floor(readConfig().TESSERA_UPLOAD_GB * 1e9);
  if ((file.contentLength ?? 0) > maxBytes)
    throw new TesseraError('too-large', `A file may have at most ${maxBytes / 1e9} GB (TESSERA_UPLOAD_GB).`);
  await heldRun(db, trainer, hold);
  const { sha256, bytes } = await putBlob(db, storage, file.source, {
    mediaType: mediaTypeOf(file.path),
    maxBytes,
  });
  // Nothing refers to what came broken: it is collected.
  if (sha256 !== file.sha256)
    throw invalid(`${file.path} arrived damaged: its hash is another. Send it again.`);
  await db.transaction(async (tx) => {
    await heldRun(tx, trainer, hold, { lock: true });
    if (file.path === CHECKPOINT) {
      await tx.update(runs).set({ checkpoint: sha256 }).where(eq(runs.id, hold.runId));
      return;
    }
    const [held] = await tx
      .select({ n: count(), bytes: sql<number>`coalesce(sum(${runFiles.bytes}), 0)::float8` })
      .from(runFiles)
      .where(eq(runFiles.runId, hold.runId));
    if ((held?.n ?? 0) >= MAX_FILES) throw invalid(`A run has at most ${MAX_FILES} files.`);
    if ((held?.bytes ?? 0) + bytes > RUN_UPLOADS * maxBytes)
      throw new TesseraError(
        'too-large',
        `The files of a run have at most ${(RUN_UPLOADS * maxBytes) / 1e9} GB.`,
      );
    await tx
      .insert(runFiles)
      .values({ runId: hold.runId, path: file.path, blob: sha256, bytes })
      .onConflictDoUpdate({ target: [runFiles.runId, runFiles.path], set: { blob: sha256, bytes } });
  });
  return { bytes };
}
