import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { tables } from '@/db';
import type { JobSpec } from '@/lib/core/training-spec';
import type { JobContext } from '@/lib/services/jobs';
import { log } from '@/lib/services/observability/log';
import type { Handle, Launcher } from '../launch';
import { progressOf } from './progress-of';
import { RunClock } from './run-clock';
import type { RunSource } from './run-source';

const { jobs } = tables;

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
export async function followRun(
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
    clock.hear(events);
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

export async function isCancelled({ db, jobId }: JobContext): Promise<boolean> {
  const [job] = await db
    .select({ cancelRequested: jobs.cancelRequested })
    .from(jobs)
    .where(eq(jobs.id, jobId));
  return job?.cancelRequested ?? false;
}
