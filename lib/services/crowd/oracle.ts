import { and, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { enqueue } from '@/lib/services/jobs';

const { evaluations, oracleQuestions, stages, jobs } = tables;

/**
 * Of settled items of one oracle stage: whether they were asked by evaluations. Then what people said makes no labels,
 * and the evaluations go on with it.
 */
export async function hearAnswers(
  tx: Transaction,
  settled: readonly { id: string; stageId: string }[],
): Promise<boolean> {
  const [first] = settled;
  if (!first) return false;
  const [stage] = await tx
    .select({ asks: stages.asks })
    .from(stages)
    .where(sql`${stages.id} = ${first.stageId}`);
  if (stage?.asks !== 'evaluations') return false;
  const ids = settled.map(({ id }) => id);
  // In one order for everybody, so that two who hand in at once do not wait in a circle.
  const waiting = await tx.execute<{ id: string }>(sql`
    select distinct e.id from ${oracleQuestions} q
    join ${evaluations} e on e.id = q.evaluation_id and e.state = 'waiting'
    where q.item_id = any (${sql.param(ids)}::uuid[]) order by e.id`);
  for (const { id } of waiting.rows) await wakeEvaluation(tx, id);
  return true;
}

export const ORACLE_JOB = 'ask-oracle';

/**
 * Has an evaluation that waits for people look at what they have said. One that is about to look anyway takes the same
 * lock first (`holdWaiting`), so it sees what this transaction writes and no second job is needed.
 */
async function wakeEvaluation(tx: Transaction, evaluationId: string): Promise<void> {
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
