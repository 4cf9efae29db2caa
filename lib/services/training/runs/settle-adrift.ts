import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { log } from '@/lib/services/observability/log';
import { launcherOf } from '../launch';
import { dropInputs } from '../remote/run-inputs';
import { openRun } from './open-run';
import { runFolder } from './prepare-run';

const { jobs, runs } = tables;

/** Longer than a worker that is at it needs to end a trainer and to settle the run itself. */
const PATIENCE_SECONDS = 90;
/** A process of another machine is for a worker there to end, if there is one. */
const ITS_OWN_SECONDS = 600;

/**
 * Ends runs whose job is over without any worker having seen to it: cancelled while it waited for another try, or failed
 * as its worker died too often. What still trains for them is told to stop.
 */
export async function settleAdriftRuns(db: Database): Promise<number> {
  const over = (seconds: number) => sql`${jobs.finishedAt} < now() - make_interval(secs => ${seconds})`;
  const adrift = await db
    .select({ id: runs.id, launcher: runs.launcher, jobId: jobs.id, became: jobs.state })
    .from(runs)
    .innerJoin(jobs, eq(jobs.id, runs.jobId))
    .where(
      and(
        inArray(runs.state, ['queued', 'running']),
        inArray(jobs.state, ['cancelled', 'failed']),
        over(PATIENCE_SECONDS),
        or(
          sql`${runs.launcher} <> 'local'`,
          sql`coalesce(${runs.trainer}, ${os.hostname()}) = ${os.hostname()}`,
          over(ITS_OWN_SECONDS),
        ),
      ),
    )
    .limit(100);
  let settled = 0;
  for (const { id, launcher, jobId, became } of adrift) {
    const state = became === 'cancelled' ? ('cancelled' as const) : ('failed' as const);
    const [run] = await db
      .update(runs)
      .set({ state, finishedAt: sql`now()`, leasedUntil: null })
      .where(openRun(id, jobId))
      .returning({ id: runs.id });
    if (!run) continue;
    settled++;
    await dropInputs(db, id);
    // Beside the rest: a trainer may take a minute to leave.
    end(launcherOf({ launcher }), runFolder(id)).catch((error) =>
      log.error({ err: error, runId: id }, 'a trainer that nobody wants does not stop'),
    );
  }
  return settled;
}

async function end(launcher: ReturnType<typeof launcherOf>, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await writeFile(path.join(folder, 'cancel'), '');
  const left = await launcher.adopt(folder);
  if (left) await launcher.stop(left);
}
