import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { wakeEvaluation } from './wake-evaluation';

const { evaluations, oracleQuestions, stages } = tables;

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
