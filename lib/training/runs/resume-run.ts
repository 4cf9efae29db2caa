import { and, eq } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { record } from '@/lib/audit';
import { type Author, actorId } from '@/lib/auth/actor';
import { conflict, notFound } from '@/lib/errors';
import { enqueue } from '@/lib/jobs';
import { TRAIN_JOB } from './start-run';

const { jobs, runs } = tables;

/** Goes on with a run that was cancelled or that failed, from its last checkpoint. */
export async function resumeRun(
  db: Database,
  actor: Author,
  { projectId, runId }: { projectId: string; runId: string },
): Promise<{ jobId: string }> {
  return db.transaction(async (tx) => {
    const [run] = await tx
      .select({ id: runs.id, name: runs.name, state: runs.state, jobId: runs.jobId })
      .from(runs)
      .where(and(eq(runs.projectId, projectId), eq(runs.id, runId)))
      .for('update');
    if (!run) throw notFound('run');
    const state = run.state === 'queued' && run.jobId ? await jobState(tx, run.jobId) : run.state;
    if (state !== 'cancelled' && state !== 'failed')
      throw conflict('Only a run that was cancelled or that failed can go on.');
    const jobId = await enqueue(
      tx,
      TRAIN_JOB,
      { runId },
      { title: `Train ${run.name}`, projectId, startedBy: actorId(actor) },
    );
    await tx.update(runs).set({ state: 'queued', jobId, finishedAt: null }).where(eq(runs.id, runId));
    await record(tx, { actor, verb: 'run.resume', subject: 'run', subjectId: runId, projectId });
    return { jobId };
  });
}

/** A job that was cancelled before it began, or that failed for good, never came to the run's own row. */
async function jobState(tx: Db, jobId: string): Promise<string | undefined> {
  const [job] = await tx.select({ state: jobs.state }).from(jobs).where(eq(jobs.id, jobId));
  return job?.state;
}
