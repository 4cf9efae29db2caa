import { eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { holdWaiting } from '@/lib/services/crowd/oracle/wake-evaluation';

const { evaluations, items, oracleQuestions } = tables;

/**
 * Stops an evaluation that waits for people. Questions that only it asks are withdrawn; what was answered, and what
 * somebody is answering at this moment, is paid and kept, and the same evaluation begun again finds it.
 */
export async function stopAsking(
  db: Database,
  actor: Actor,
  { projectId, evaluationId }: { projectId: string; evaluationId: string },
): Promise<{ withdrawn: number }> {
  await authorise(db, actor, 'evaluations.write', { project: projectId });
  return db.transaction(async (tx) => {
    const [known] = await tx
      .select({ id: evaluations.id })
      .from(evaluations)
      .where(sql`${evaluations.id} = ${evaluationId} and ${evaluations.projectId} = ${projectId}`);
    if (!known) throw notFound('evaluation');
    // Items first, as whoever hands in a batch: nobody waits in a circle.
    await tx.execute(sql`
      select i.id from ${items} i where i.id in (select q.item_id from ${oracleQuestions} q
        where q.evaluation_id = ${evaluationId}) order by i.id for no key update of i`);
    const evaluation = await holdWaiting(tx, evaluationId);
    if (!evaluation)
      throw conflict('The evaluation does not wait for people. While its job runs, cancel the job.');
    await tx
      .update(evaluations)
      .set({ state: 'cancelled', finishedAt: sql`now()` })
      .where(eq(evaluations.id, evaluationId));
    const gone = await tx.execute<{ id: string }>(sql`
      update ${items} i set state = 'withdrawn'
      where i.state = 'open' and i.id in (
        select q.item_id from ${oracleQuestions} q where q.evaluation_id = ${evaluationId})
      and not exists (
        select 1 from ${oracleQuestions} other join ${evaluations} e on e.id = other.evaluation_id
        where other.item_id = i.id and e.id <> ${evaluationId} and e.state in ('waiting', 'queued', 'running'))
      returning i.id`);
    await record(tx, {
      actor,
      verb: 'evaluation.stop',
      subject: 'evaluation',
      subjectId: evaluationId,
      projectId,
      detail: { withdrawn: gone.rows.length },
    });
    return { withdrawn: gone.rows.length };
  });
}
