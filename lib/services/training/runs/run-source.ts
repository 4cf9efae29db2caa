import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { and, eq, inArray, like, lt, or } from 'drizzle-orm';
import { tables } from '@/db';
import { invalid } from '@/lib/core/errors';
import type { JobContext } from '@/lib/services/jobs';
import { resolveInside } from '@/lib/services/storage';
import { checkExport, type ExportCheck } from '../../inference/check-export';
import type { Launcher } from '../launch';
import { EventFollower, type RunEvent, RunResult } from './follow-events';
import { keepCheckpoint, keepEvents, keepFile, lastSeq, listEvents } from './keep-events';

const { runFiles, runs } = tables;

const CHECKPOINT_MS = 60_000;
/** Both models and a few tensors; what a machine elsewhere sent beyond that is not fetched. */
const MAX_CHECKED_BYTES = 8e9;

/** Where what a trainer tells and makes comes from. */
export interface RunSource {
  /** What it told since the last look; it and its files are where every machine can see them. */
  passOn(): Promise<RunEvent[]>;
  /** Null: it ended without a verdict. */
  result(): Promise<RunResult | null>;
  /** What is left to fetch when it has ended: the log, and the checkpoint unless it succeeded. */
  collect(result: RunResult): Promise<void>;
  /** How far the exported files are from PyTorch. */
  check(): Promise<ExportCheck>;
}

interface Followed {
  launcher: Launcher;
  runId: string;
  folder: string;
}

export const openSource = async (
  context: JobContext,
  { launcher, runId, folder }: Followed,
): Promise<RunSource> => {
  const after = await lastSeq(context.db, runId);
  return launcher.speaksItself
    ? storeSource(context, runId, folder, after)
    : folderSource(context, runId, folder, after);
};

/** A job directory that this machine sees. */
function folderSource(
  { db, storage, signal }: JobContext,
  runId: string,
  folder: string,
  after: number,
): RunSource {
  const follower = new EventFollower(folder, after);
  let uploadedAt = Number.NEGATIVE_INFINITY;
  return {
    async passOn() {
      const events = await follower.read();
      await keepEvents(db, runId, events);
      for (const event of events) {
        // Slurm restarts a run by itself, so the number of the attempt is read from its events.
        if (event.kind === 'start')
          await db
            .update(runs)
            .set({ attempt: event.attempt })
            .where(and(eq(runs.id, runId), lt(runs.attempt, event.attempt)));
        if (
          event.kind === 'artifact' &&
          typeof event.path === 'string' &&
          existsSync(path.join(folder, event.path))
        )
          await keepFile(db, storage, runId, folder, event.path);
      }
      if (
        events.some(({ kind }) => kind === 'checkpoint') &&
        performance.now() - uploadedAt > CHECKPOINT_MS
      ) {
        await keepCheckpoint(db, storage, runId, folder);
        uploadedAt = performance.now();
      }
      return events;
    },
    async result() {
      const text = await readFile(path.join(folder, 'result.json'), 'utf8').catch(() => null);
      return text === null ? null : RunResult.parse(JSON.parse(text));
    },
    async collect(result) {
      await keepFile(db, storage, runId, folder, 'log.txt').catch(() => {});
      if (result.state !== 'succeeded' && existsSync(path.join(folder, 'checkpoints', 'last.pt')))
        await keepCheckpoint(db, storage, runId, folder);
    },
    check: () => checkExport(path.join(folder, 'artifacts'), signal),
  };
}

/** A trainer elsewhere that sends everything itself: it is in the database and in the store already. */
function storeSource(
  { db, storage, signal }: JobContext,
  runId: string,
  folder: string,
  after: number,
): RunSource {
  let known = after;
  return {
    async passOn() {
      const events = await listEvents(db, { runId, after: known });
      known = events.at(-1)?.seq ?? known;
      return events.map(({ document, at, ...event }) => ({
        ...(document as { attempt: number }),
        ...event,
        t: at.getTime() / 1000,
      }));
    },
    async result() {
      const [run] = await db.select({ result: runs.result }).from(runs).where(eq(runs.id, runId));
      return run?.result ? RunResult.parse(run.result) : null;
    },
    async collect() {},
    async check() {
      const artifacts = path.join(folder, 'artifacts');
      const files = await db
        .select({ path: runFiles.path, blob: runFiles.blob, bytes: runFiles.bytes })
        .from(runFiles)
        .where(
          and(
            eq(runFiles.runId, runId),
            or(
              inArray(runFiles.path, ['artifacts/model.onnx', 'artifacts/model.grad.onnx']),
              eq(runFiles.path, 'artifacts/check/check.json'),
              like(runFiles.path, 'check/%'),
            ),
          ),
        );
      if (files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_CHECKED_BYTES)
        throw invalid('The exported files are too large to be checked.');
      try {
        for (const file of files) {
          // Tensors come beside the artefacts, for they are no part of the model.
          const place = resolveInside(folder, file.path.replace(/^check\//, 'artifacts/check/'));
          await mkdir(path.dirname(place), { recursive: true });
          await pipeline(await storage.get(file.blob), createWriteStream(place));
        }
        return await checkExport(artifacts, signal);
      } finally {
        await rm(artifacts, { recursive: true, force: true });
      }
    },
  };
}
