import { eq } from 'drizzle-orm';
import { tables } from '@/db';
import { holdWaiting } from '@/lib/services/crowd/oracle/wake-evaluation';
import { enqueue, type JobContext } from '@/lib/services/jobs';
import { EvaluationOptions } from '../new-evaluation';
import { EVALUATE_JOB } from '../start-evaluation';
import { askRound } from './ask-round';

const { evaluations } = tables;

/** Asks what follows from the answers so far; once nothing is left to ask, the evaluation is finished by its own job. */
export async function goOn(
  context: JobContext,
  { evaluationId }: { evaluationId: string },
): Promise<{ left: number }> {
  const { db } = context;
  // Waits for whoever hands in answers at this moment: what they wrote is read below.
  const evaluation = await db.transaction((tx) => holdWaiting(tx, evaluationId));
  const stageId = evaluation && EvaluationOptions.parse(evaluation.options).crowd;
  if (!evaluation || !stageId) return { left: 0 };
  const { projectId, createdBy } = evaluation;
  const { chains, left } = await askRound(context, { evaluationId, projectId, stageId });
  await context.progress(chains.length - left, chains.length, 'Images that people have judged');
  if (left > 0) return { left };
  await db.transaction(async (tx) => {
    if (!(await holdWaiting(tx, evaluationId))) return;
    const title = 'Evaluate what people saw';
    const jobId = await enqueue(
      tx,
      EVALUATE_JOB,
      { evaluationId },
      { title, projectId, startedBy: createdBy },
    );
    await tx.update(evaluations).set({ jobId, state: 'queued' }).where(eq(evaluations.id, evaluationId));
  });
  return { left };
}
