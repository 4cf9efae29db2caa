import type { Database } from '@/db';
import { actorId } from '@/lib/core/actor';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { enqueue } from '@/lib/services/jobs';
import { transferable } from './transferable';

export const TRANSFER_JOB = 'transfer-pictures';

/** Has the models of comparable evaluations shown the pictures that were driven away from each of them. */
export async function startTransfer(
  db: Database,
  actor: Actor,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
): Promise<{ jobId: string }> {
  await authorise(db, actor, 'evaluations.write', { project: projectId });
  const found = await transferable(db, { projectId, ids });
  return db.transaction(async (tx) => {
    const jobId = await enqueue(
      tx,
      TRANSFER_JOB,
      { projectId, evaluationIds: found.map(({ id }) => id) },
      {
        title: `Show ${found.length} models each other’s pictures`,
        projectId,
        startedBy: actorId(actor),
      },
    );
    for (const { id, model } of found)
      await record(tx, {
        actor,
        verb: 'evaluation.transfer',
        subject: 'evaluation',
        subjectId: id,
        projectId,
        detail: { model, models: found.length },
      });
    return { jobId };
  });
}
