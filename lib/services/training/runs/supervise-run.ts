import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { notFound, TesseraError } from '@/lib/core/errors';
import type { JobSpec } from '@/lib/core/training-spec';
import { Interrupted, type JobContext } from '@/lib/services/jobs';
import { log } from '@/lib/services/observability/log';
import { beyondTolerance } from '../../inference/check-export';
import { type Handle, type Launcher, launcherOf } from '../launch';
import { localLauncher } from '../launch/local';
import { dropInputs } from '../remote/run-inputs';
import { misfit } from '../trainers/calibration';
import { isInstalling, readInstallation } from '../trainers/installation';
import { NO_GPU, progressOf, RANK_LOST, type RunResult } from './follow-events';
import { prepareRun, type RunRow, readRun } from './prepare-run';
import { registerModel } from './register-model';
import { OUT_OF_TIME, RunClock, withinTime } from './run-clock';
import { openSource, type RunSource } from './run-source';
import { isOpen, openRun } from './start-run';

const { jobs, runs } = tables;

const WAIT_FOR_TRAINER_MS = 5_000;
/** Beside the verdict, the one exit code that is needed: on a full disk there may be no verdict. */
const DISK_FULL = 73;
const INSTALLING = 'Waits for PyTorch, which is being installed';

/**
 * Sees a run through: makes its directory, gives it a process, passes on what it tells, and acts on its verdict. May be
 * restarted at any time: it continues with the running process, or from the last checkpoint.
 */
export async function superviseRun(
  context: JobContext,
  { runId }: { runId: string },
): Promise<Record<string, unknown>> {
  const { db } = context;
  const run = await readRun(db, runId);
  if (!run) throw notFound('run');
  // It is over, or somebody has resumed it since: another job sees to it.
  if (run.state === 'done' || run.jobId !== context.jobId) return { runId };
  const launcher = launcherOf(run);
  // Somebody has retried the job.
  if (!isOpen(run.state)) await reopen(db, runId);
  try {
    await waitForTrainer(context, launcher, (run.spec as JobSpec).resources);
    const { folder, spec } = await prepareRun(context, run);
    await rm(path.join(folder, 'cancel'), { force: true });
    const result = await attempt(context, launcher, run, folder, spec);
    const source = await openSource(context, { launcher, runId, folder });
    return await settle(context, source, run, folder, spec, result);
  } catch (error) {
    if ((await context.isHeld?.()) ?? true) await settleFailure(context, runId, error);
    throw error;
  }
}

const reopen = (db: Database, runId: string) =>
  db.update(runs).set({ state: 'queued', result: null, finishedAt: null }).where(eq(runs.id, runId));

/** A missing trainer stops nobody: the run waits, and its page says what to do. */
async function waitForTrainer(
  { db, signal, progress }: JobContext,
  launcher: Launcher,
  resources: JobSpec['resources'],
): Promise<void> {
  for (;;) {
    const { missing, ...machine } = await launcher.capabilities();
    if (!missing) {
      // Without GPUs `auto` means processes on processors.
      const asked = resources.device === 'auto' ? { ...resources, gpus: 0 } : resources;
      const why = launcher === localLauncher ? misfit(machine, asked) : null;
      // Another worker may have what it takes; and this one has others to train meanwhile.
      if (!why) return;
      const text = `${localLauncher.trainer} cannot train it: ${why}. It waits for another worker.`;
      await progress(0, null, text);
      throw new Interrupted(text);
    }
    const installation = launcher === localLauncher ? await readInstallation(db) : null;
    await progress(0, null, isInstalling(installation) ? INSTALLING : missing);
    await sleep(WAIT_FOR_TRAINER_MS, undefined, { signal });
  }
}

/** Runs until there is a verdict. A trainer lost without one is restarted from its last checkpoint. */
async function attempt(
  context: JobContext,
  launcher: Launcher,
  run: RunRow,
  folder: string,
  spec: JobSpec,
): Promise<RunResult> {
  for (let lost = 1; ; lost++) {
    const adopted = await launcher.adopt(folder);
    const resources = adopted ? spec.resources : await withinTime(context.db, run.id, spec);
    const number = launcher.speaksItself ? 0 : await begin(context, launcher, run.id, adopted !== null);
    if (!adopted && !launcher.speaksItself) {
      await rm(path.join(folder, 'result.json'), { force: true });
      // An older attempt that is still alive somewhere sees it and leaves.
      await writeFile(path.join(folder, 'lease.json'), JSON.stringify({ attempt: number }));
    }
    const handle = adopted ?? (await launcher.submit(folder, resources));
    // Read from the beginning by each attempt: one that crashed may have left half a line, which the next cuts off.
    const source = await openSource(context, { launcher, runId: run.id, folder });
    const code = await followRun(context, { launcher, source, handle, runId: run.id, folder, spec });
    const result = await source.result();
    if (result && result.error?.type !== RANK_LOST) return result;
    // The process was lost while stopping, so it is not restarted.
    context.signal.throwIfAborted();
    if (!result && code === DISK_FULL)
      throw new TesseraError(
        'invalid',
        'The disk is so full that not even the verdict could be written. Free some space, then resume the run: it goes on from its last checkpoint.',
      );
    if (lost >= spec.attemptLimit)
      throw new TesseraError(
        'invalid',
        `The trainer was lost ${spec.attemptLimit} times without a verdict: out of memory is the usual reason. Its log is in ${folder}.`,
      );
    await context.log('warn', 'The trainer is gone without a verdict; it goes on from its last checkpoint.');
  }
}

/** The number of the attempt: a new one, unless a process of the last is adopted. */
async function begin(
  { db, jobId }: JobContext,
  launcher: Launcher,
  runId: string,
  isAdopted: boolean,
): Promise<number> {
  const [begun] = await db
    .update(runs)
    .set({
      state: 'running',
      ...(isAdopted ? {} : { attempt: sql`${runs.attempt} + 1` }),
      ...(launcher.trainer ? { trainer: launcher.trainer } : {}),
      startedAt: sql`coalesce(${runs.startedAt}, now())`,
    })
    .where(openRun(runId, jobId))
    .returning({ attempt: runs.attempt });
  if (!begun) throw new TesseraError('conflict', 'Somebody has ended the run, or resumed it.');
  return begun.attempt;
}

async function settle(
  context: JobContext,
  source: RunSource,
  run: RunRow,
  folder: string,
  spec: JobSpec,
  result: RunResult,
): Promise<Record<string, unknown>> {
  const { db } = context;
  const ours = openRun(run.id, context.jobId);
  await source.collect(result);
  await db.update(runs).set({ result }).where(ours);
  if (result.state === 'canceled' && !(await isCancelled(context)))
    await withinTime(db, run.id, spec).catch(async (error: Error) => {
      const told = { ...result, error: { type: OUT_OF_TIME, message: error.message } };
      await db.update(runs).set({ result: told }).where(ours);
      throw error;
    });
  if (result.state === 'preempted')
    throw new Interrupted('The trainer was stopped with a checkpoint; it goes on.');
  if (result.state === 'canceled') throw new TesseraError('unavailable', 'The run was cancelled.');
  if (result.error?.type === NO_GPU) {
    // A trainer elsewhere would be held to this verdict.
    await db.update(runs).set({ result: null }).where(ours);
    throw new TesseraError('unavailable', result.error.message);
  }
  if (result.state === 'failed')
    throw new TesseraError('invalid', result.error?.message ?? 'The run failed.');
  const check = await source.check();
  const wrong = beyondTolerance(check);
  if (wrong.length > 0)
    await context.log(
      'warn',
      `The exported files differ from PyTorch by more than rounding: ${wrong.join(', ')}.`,
    );
  const model = await registerModel(context, run, result, check);
  const [done] = await db
    .update(runs)
    .set({ state: 'done', finishedAt: sql`now()`, checkpoint: null })
    .where(ours)
    .returning({ id: runs.id });
  if (done) {
    await dropInputs(db, run.id);
    await rm(path.join(folder, 'checkpoints'), { recursive: true, force: true });
  }
  return { runId: run.id, modelId: model.id };
}

/** What the list of runs shows; the job says whether it will be tried again. */
async function settleFailure(context: JobContext, runId: string, error: unknown): Promise<void> {
  const { db } = context;
  const cancelled = await isCancelled(context);
  const isFinal = error instanceof TesseraError && error.kind !== 'unavailable';
  const [settled] = await db
    .update(runs)
    .set(
      cancelled
        ? { state: 'cancelled', finishedAt: sql`now()` }
        : isFinal
          ? { state: 'failed', finishedAt: sql`now()` }
          : { state: 'queued' },
    )
    .where(openRun(runId, context.jobId))
    .returning({ id: runs.id });
  if (settled && (cancelled || isFinal)) await dropInputs(db, runId);
}

const LOOK_MS = 500;

interface Followed {
  launcher: Launcher;
  source: RunSource;
  handle: Handle;
  runId: string;
  folder: string;
  spec: JobSpec;
}

/**
 * Passes on events until the process is gone, and gives its exit code where that is known; asks it to stop when nobody
 * wants it any more or its time is over.
 */
async function followRun(
  context: JobContext,
  { launcher, source, handle, runId, folder, spec }: Followed,
): Promise<number | null> {
  const { db } = context;
  const clock = await RunClock.open(db, runId);
  const { wallMinutes } = spec.resources;
  let isStopping = false;
  const stop = async (forGood: boolean) => {
    isStopping = true;
    if (forGood) await writeFile(path.join(folder, 'cancel'), '');
    launcher.stop(handle).catch((error) => log.error({ err: error, runId }, 'a trainer does not stop'));
  };
  for (;;) {
    const status = await launcher.status(handle);
    const events = await source.passOn();
    clock.addEvents(events);
    if (status.state === 'gone') {
      await source.passOn();
      return status.code;
    }
    // The clock of a machine elsewhere may be another than ours: its trainer is told by the answer to its heartbeat.
    const now = status.state === 'running' && !launcher.speaksItself ? Date.now() : undefined;
    if (!isStopping && wallMinutes !== null && clock.spentMs(now) >= wallMinutes * 60_000) await stop(true);
    // It is on its way out, and the next worker adopts what is left of it.
    if (isStopping && launcher.outlivesWorker && !(await isCancelled(context)))
      context.signal.throwIfAborted();
    if (!isStopping) {
      try {
        if (status.state === 'queued' && status.text) await context.progress(0, null, status.text);
        for (const event of events) {
          const step = progressOf(event, spec);
          if (step) await context.progress(step.done, step.total, step.text);
        }
        context.signal.throwIfAborted();
      } catch (error) {
        const cancelled = await isCancelled(context);
        const isHeld = (await context.isHeld?.()) ?? true;
        if (!isHeld || (launcher.outlivesWorker && !cancelled)) throw error;
        await stop(cancelled);
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
