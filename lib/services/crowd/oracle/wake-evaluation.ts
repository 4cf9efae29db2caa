import { and, eq } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { enqueue } from '@/lib/services/jobs/enqueue';

const { evaluations, jobs } = tables;

export const ORACLE_JOB = 'ask-oracle';

/**
 * Has an evaluation that waits for people look at what they have said. One that is about to look anyway takes the same
 * lock first (`holdWaiting`), so it sees what this transaction writes and no second job is needed.
 */
export async function wakeEvaluation(tx: Transaction, evaluationId: string): Promise<void> {
  const evaluation = await holdWaiting(tx, evaluationId);
  if (!evaluation) return;
  const { projectId, jobId } = evaluation;
  const [queued] = jobId
    ? await tx
        .select({ id: jobs.id })
        .from(jobs)
        .where(and(eq(jobs.id, jobId), eq(jobs.kind, ORACLE_JOB), eq(jobs.state, 'queued')))
    : [];
  if (queued) return;
  const made = await enqueue(
    tx,
    ORACLE_JOB,
    { evaluationId },
    { title: 'Ask what follows from the answers', projectId },
  );
  await tx.update(evaluations).set({ jobId: made }).where(eq(evaluations.id, evaluationId));
}

/** The evaluation, locked, if it waits for people. */
export async function holdWaiting(tx: Transaction, evaluationId: string) {
  const [found] = await tx
    .select()
    .from(evaluations)
    .where(eq(evaluations.id, evaluationId))
    .for('no key update');
  return found?.state === 'waiting' ? found : null;
}
