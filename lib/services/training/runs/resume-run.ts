import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import type { JobSpec } from '@/lib/core/training-spec';
import { record } from '@/lib/services/activity';
import { enqueue } from '@/lib/services/jobs';
import { isOpen } from './open-run';
import { withinTime } from './time-limit';
import { trainJobOf } from './train-jobs';

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
