import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { tables } from '@/db';
import { notFound, TesseraError } from '@/lib/errors';
import type { JobContext } from '@/lib/jobs';
import { log } from '@/lib/log';
import { checkExport } from '../check-export';
import type { Handle, Launcher } from '../launch/launcher';
import { adopted, localLauncher } from '../launch/local';
import type { JobSpec } from '../spec';
import { EventFollower, type RunEvent } from './follow-events';
import { keepCheckpoint, keepEvents, keepFile, lastSeq } from './keep-events';
import { prepareRun, type RunRow, readRun } from './prepare-run';
import { progressOf } from './progress-of';
import { registerModel } from './register-model';
import { RunResult } from './run-result';

const { jobs, runs } = tables;

const LOOK_MS = 500;
const WAIT_FOR_TRAINER_MS = 15_000;
const CHECKPOINT_MS = 60_000;

/**
 * Sees a run through: makes its directory, gives it a process, passes on what it tells, and acts on its verdict. May be
 * begun anew at any time: it goes on with the process that is there, or from the last checkpoint.
 */
export async function superviseRun(
  context: JobContext,
  { runId }: { runId: string },
  launcher: Launcher = localLauncher,
): Promise<Record<string, unknown>> {
  const { db } = context;
  const run = await readRun(db, runId);
  if (!run) throw notFound('run');
  if (run.state === 'done') return { runId };
  try {
    await waitForTrainer(context, launcher);
    const { folder, spec } = await prepareRun(context, run);
    await rm(path.join(folder, 'cancel'), { force: true });
    const result = await attempt(context, launcher, run, folder, spec);
    return await settle(context, run, folder, result);
  } catch (error) {
    await settleFailure(context, runId, error);
    throw error;
  }
}

/** A missing trainer stops nobody: the run waits, and its page says what to do. */
async function waitForTrainer({ signal, progress }: JobContext, launcher: Launcher): Promise<void> {
  for (;;) {
    const { missing } = await launcher.capabilities();
    if (!missing) return;
    await progress(0, null, missing);
    await sleep(WAIT_FOR_TRAINER_MS, undefined, { signal });
  }
}

async function attempt(
  context: JobContext,
  launcher: Launcher,
  run: RunRow,
  folder: string,
  spec: JobSpec,
): Promise<RunResult> {
  const { db } = context;
  for (let lost = 0; ; lost++) {
    const running = await adopted(folder);
    const [begun] = await db
      .update(runs)
      .set({
        state: 'running',
        ...(running ? {} : { attempt: sql`${runs.attempt} + 1` }),
        trainer: os.hostname(),
        startedAt: sql`coalesce(${runs.startedAt}, now())`,
      })
      .where(eq(runs.id, run.id))
      .returning({ attempt: runs.attempt });
    if (!running) {
      await rm(path.join(folder, 'result.json'), { force: true });
      // An older attempt that is still alive somewhere sees it and leaves.
      await writeFile(path.join(folder, 'lease.json'), JSON.stringify({ attempt: begun?.attempt ?? 1 }));
    }
    const handle = running ?? (await launcher.submit(folder, spec.resources));
    await follow(context, launcher, handle, run.id, folder, spec);
    const result = await readResult(folder);
    if (result) return result;
    if (lost + 1 >= spec.attemptLimit)
      throw new TesseraError(
        'invalid',
        `The trainer was lost ${spec.attemptLimit} times without a verdict: out of memory is the usual reason. Its log is in ${folder}.`,
      );
    await context.log('warn', 'The trainer is gone without a verdict; it goes on from its last checkpoint.');
  }
}

/** Passes on events until the process is gone. */
async function follow(
  context: JobContext,
  launcher: Launcher,
  handle: Handle,
  runId: string,
  folder: string,
  spec: JobSpec,
): Promise<void> {
  const { db, storage } = context;
  const follower = new EventFollower(folder, await lastSeq(db, runId));
  let uploadedAt = 0;
  let isStopping = false;
  const look = async (): Promise<RunEvent[]> => {
    const events = await follower.read();
    await keepEvents(db, runId, events);
    for (const event of events)
      if (
        event.kind === 'artifact' &&
        typeof event.path === 'string' &&
        existsSync(path.join(folder, event.path))
      )
        await keepFile(db, storage, runId, folder, event.path);
    if (events.some(({ kind }) => kind === 'checkpoint') && Date.now() - uploadedAt > CHECKPOINT_MS) {
      await keepCheckpoint(db, storage, runId, folder);
      uploadedAt = Date.now();
    }
    return events;
  };
  for (;;) {
    const { state } = await launcher.status(handle);
    const events = await look();
    if (state === 'gone') {
      await look();
      return;
    }
    if (!isStopping) {
      try {
        for (const event of events) {
          const step = progressOf(event, spec);
          if (step) await context.progress(step.done, step.total, step.text);
        }
        context.signal.throwIfAborted();
      } catch {
        isStopping = true;
        if (await isCancelled(context)) await writeFile(path.join(folder, 'cancel'), '');
        launcher.stop(handle).catch((error) => log.error({ err: error, runId }, 'a trainer does not stop'));
      }
    }
    await sleep(LOOK_MS);
  }
}

async function isCancelled({ db, jobId }: JobContext): Promise<boolean> {
  const [job] = await db
    .select({ cancelRequested: jobs.cancelRequested })
    .from(jobs)
    .where(eq(jobs.id, jobId));
  return job?.cancelRequested ?? false;
}

async function readResult(folder: string): Promise<RunResult | null> {
  const text = await readFile(path.join(folder, 'result.json'), 'utf8').catch(() => null);
  return text === null ? null : RunResult.parse(JSON.parse(text));
}

async function settle(
  context: JobContext,
  run: RunRow,
  folder: string,
  result: RunResult,
): Promise<Record<string, unknown>> {
  const { db, storage } = context;
  await keepFile(db, storage, run.id, folder, 'log.txt').catch(() => {});
  await db.update(runs).set({ result }).where(eq(runs.id, run.id));
  if (result.state === 'preempted') throw new Error('The trainer was stopped with a checkpoint; it goes on.');
  if (result.state === 'canceled') throw new TesseraError('unavailable', 'The run was cancelled.');
  if (result.state === 'failed')
    throw new TesseraError('invalid', result.error?.message ?? 'The run failed.');
  const check = await checkExport(path.join(folder, 'artifacts'));
  const model = await registerModel(context, run, result, check);
  await db
    .update(runs)
    .set({ state: 'done', finishedAt: sql`now()`, checkpoint: null })
    .where(eq(runs.id, run.id));
  await rm(path.join(folder, 'checkpoints'), { recursive: true, force: true });
  return { runId: run.id, modelId: model.id };
}

/** What the list of runs shows; the job says whether it will be tried again. */
async function settleFailure(context: JobContext, runId: string, error: unknown): Promise<void> {
  const { db } = context;
  const cancelled = await isCancelled(context);
  const isFinal = error instanceof TesseraError && error.kind !== 'unavailable';
  await db
    .update(runs)
    .set(
      cancelled
        ? { state: 'cancelled', finishedAt: sql`now()` }
        : isFinal
          ? { state: 'failed', finishedAt: sql`now()` }
          : { state: 'queued' },
    )
    .where(eq(runs.id, runId));
}
