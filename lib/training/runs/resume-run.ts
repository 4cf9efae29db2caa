import { and, eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { record } from '@/lib/audit';
import { type Author, actorId } from '@/lib/auth/actor';
import { conflict, notFound } from '@/lib/errors';
import { enqueue } from '@/lib/jobs';
import { TRAIN_JOB } from './start-run';

const { runs } = tables;

/** Goes on with a run that was cancelled or that failed, from its last checkpoint. */
export async function resumeRun(
  db: Database,
  actor: Author,
  { projectId, runId }: { projectId: string; runId: string },
): Promise<{ jobId: string }> {
  return db.transaction(async (tx) => {
    const [run] = await tx
      .select({ id: runs.id, name: runs.name, state: runs.state })
      .from(runs)
      .where(and(eq(runs.projectId, projectId), eq(runs.id, runId)))
      .for('update');
    if (!run) throw notFound('run');
    if (run.state !== 'cancelled' && run.state !== 'failed')
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
