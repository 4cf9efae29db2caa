import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import type { JobSpec } from '@/lib/core/training-spec';
import { record } from '@/lib/services/activity';
import { enqueue } from '@/lib/services/jobs';
import { log } from '@/lib/services/observability/log';
import { launcherOf } from '../launch';
import { dropInputs } from '../remote/run-inputs';
import { runFolder } from './prepare-run';
import { withinTime } from './run-clock';
import { isOpen, openRun, trainJobOf } from './start-run';

const { jobs, runs } = tables;

export const Resume = z.strictObject({
  /** Somewhere else than before: the checkpoint goes along. */
  launcher: z.enum(tables.launcherKinds).optional(),
  /** Minutes of training in all, where the run was given a limit and has used it up. */
  wallMinutes: z.coerce.number().positive().max(1e6).optional(),
});
export type Resume = z.infer<typeof Resume>;

/** Goes on with a run that was cancelled or that failed, from its last checkpoint. */
export async function resumeRun(
  db: Database,
  actor: Author,
  { projectId, runId, launcher, wallMinutes }: { projectId: string; runId: string } & Resume,
): Promise<{ jobId: string }> {
  return db.transaction(async (tx) => {
    const [run] = await tx
      .select({
        id: runs.id,
        name: runs.name,
        state: runs.state,
        jobId: runs.jobId,
        launcher: runs.launcher,
        spec: sql<JobSpec>`${runs.spec}`,
      })
      .from(runs)
      .where(and(eq(runs.projectId, projectId), eq(runs.id, runId)))
      .for('update');
    if (!run) throw notFound('run');
    const ofJob = isOpen(run.state) && run.jobId ? await jobState(tx, run.jobId) : undefined;
    const state = ofJob === 'cancelled' || ofJob === 'failed' ? ofJob : run.state;
    if (state !== 'cancelled' && state !== 'failed')
      throw conflict('Only a run that was cancelled or that failed can go on.');
    const where = launcher ?? run.launcher;
    const { resources } = run.spec;
    const spec = wallMinutes ? { ...run.spec, resources: { ...resources, wallMinutes } } : run.spec;
    await withinTime(tx, runId, spec);
    const jobId = await enqueue(
      tx,
      trainJobOf(where),
      { runId },
      { title: `Train ${run.name}`, projectId, startedBy: actorId(actor) },
    );
    await tx
      .update(runs)
      .set({
        state: 'queued',
        jobId,
        spec,
        launcher: where,
        result: null,
        finishedAt: null,
      })
      .where(eq(runs.id, runId));
    await record(tx, {
      actor,
      verb: 'run.resume',
      subject: 'run',
      subjectId: runId,
      projectId,
      detail: { launcher: where, wallMinutes: spec.resources.wallMinutes },
    });
    return { jobId };
  });
}

/** A job that was cancelled while no worker had it, or that failed for good, never came to the run's own row. */
async function jobState(tx: Db, jobId: string): Promise<string | undefined> {
  const [job] = await tx.select({ state: jobs.state }).from(jobs).where(eq(jobs.id, jobId));
  return job?.state;
}

/** Longer than a worker that is at it needs to end a trainer and to settle the run itself. */
const TIMEOUT_SECONDS = 90;
/** A process of another machine is for a worker there to end, if there is one. */
const ITS_OWN_SECONDS = 600;

/**
 * Ends runs whose job is over without any worker having seen to it: cancelled while it waited for another try, or failed
 * as its worker died too often. What still trains for them is told to stop.
 */
export async function settleOrphanedRuns(db: Database): Promise<number> {
  const over = (seconds: number) => sql`${jobs.finishedAt} < now() - make_interval(secs => ${seconds})`;
  const orphaned = await db
    .select({ id: runs.id, launcher: runs.launcher, jobId: jobs.id, became: jobs.state })
    .from(runs)
    .innerJoin(jobs, eq(jobs.id, runs.jobId))
    .where(
      and(
        inArray(runs.state, ['queued', 'running']),
        inArray(jobs.state, ['cancelled', 'failed']),
        over(TIMEOUT_SECONDS),
        or(
          sql`${runs.launcher} <> 'local'`,
          sql`coalesce(${runs.trainer}, ${os.hostname()}) = ${os.hostname()}`,
          over(ITS_OWN_SECONDS),
        ),
      ),
    )
    .limit(100);
  let settled = 0;
  for (const { id, launcher, jobId, became } of orphaned) {
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
