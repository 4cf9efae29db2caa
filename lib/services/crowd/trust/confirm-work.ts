import { and, eq, sql } from 'drizzle-orm';
import { type Database, type Db, type Transaction, tables } from '@/db';
import type { StageKind } from '@/lib/core/quality/answer';
import { confirms, explainConfirmation } from '@/lib/core/quality/confirmation';
import type { WorkerHistory } from '@/lib/core/quality/history';
import type { Policy } from '@/lib/core/quality/policy';
import type { RuleSetting } from '@/lib/core/quality/rules';
import { systemActor } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { enqueue } from '@/lib/services/jobs';
import { countingSince, type Doubted, lockWithImages, reopenItems, withdrawFollowing } from './ask-again';
import { readReliability } from './read-reliability';

const { items, labels, standings } = tables;

export const CONFIRM_JOB = 'confirm-work';

interface Reviewed extends Doubted {
  projectId: string;
  stageKind: StageKind;
  policy: Policy;
}

/**
 * Decides whether a single answer of a worker is enough from now on. If not, a job requests second answers to their
 * earlier work: locking the items of other batches in this transaction would violate the lock order (by id).
 */
export async function reviewConfirmation(
  tx: Transaction,
  { projectId, stageId, stageKind, workerId, policy }: Reviewed,
  { history, rules }: { history: WorkerHistory; rules: readonly RuleSetting[] },
): Promise<void> {
  if (!confirms(policy)) return;
  const { workers } = await readReliability(tx, { stageId, policy }, [workerId]);
  const accuracy = workers.get(workerId)?.accuracy ?? 1;
  const { isNeeded } = explainConfirmation(policy, { stageKind, accuracy, history, rules });
  const isNew = await storeFlag(tx, { projectId, stageId, workerId }, isNeeded);
  if (isNew && isNeeded)
    await enqueue(
      tx,
      CONFIRM_JOB,
      { projectId, stageId, workerId },
      { title: 'Ask for second answers', projectId, startedBy: null },
    );
}

/** Returns whether the flag has changed. Most workers need no confirmation and have no row. */
async function storeFlag(
  tx: Transaction,
  about: Doubted & { projectId: string },
  isNeeded: boolean,
): Promise<boolean> {
  const { stageId, workerId } = about;
  const set = { needsConfirmation: isNeeded, updatedAt: sql`now()` };
  const isOther = sql`${standings.needsConfirmation} <> ${isNeeded}`;
  const changed = isNeeded
    ? await tx
        .insert(standings)
        .values({ ...about, since: new Date(0), needsConfirmation: true })
        .onConflictDoUpdate({ target: [standings.stageId, standings.workerId], set, setWhere: isOther })
        .returning({ workerId: standings.workerId })
    : await tx
        .update(standings)
        .set(set)
        .where(and(eq(standings.stageId, stageId), eq(standings.workerId, workerId), isOther))
        .returning({ workerId: standings.workerId });
  return changed.length > 0;
}

/** Returns the workers whose single answers do not become labels. */
export async function unconfirmedWorkers(
  tx: Transaction,
  { stageId, policy }: { stageId: string; policy: Policy },
  workerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!confirms(policy)) return new Set();
  const found = await tx.execute<{ workerId: string }>(sql`
    select worker_id as "workerId" from ${standings}
    where stage_id = ${stageId} and worker_id = any (${sql.param(workerIds)}::uuid[]) and needs_confirmation`);
  return new Set(found.rows.map(({ workerId }) => workerId));
}

/**
 * Requests a second answer to every item whose label rests on this worker's answer alone, and returns the number of
 * items. The worker's answers keep counting: a consensus is built when the second answer arrives.
 */
export async function confirmWork(
  db: Database,
  about: Doubted & { projectId: string },
): Promise<{ items: number }> {
  return db.transaction(async (tx) => {
    await lockWithImages(tx, await singleAnswers(tx, about));
    // Read again: another worker may have answered while this transaction waited for the locks.
    const ids = await singleAnswers(tx, about);
    if (ids.length === 0) return { items: 0 };
    await tx.execute(sql`
      update ${labels} set is_current = false where is_current and item_id = any (${sql.param(ids)}::uuid[])`);
    await reopenItems(tx, ids, sql`overlap = greatest(overlap, 2)`);
    await withdrawFollowing(tx, ids);
    await record(tx, {
      actor: systemActor('confirmation'),
      verb: 'work.confirm',
      subject: 'user',
      subjectId: about.workerId,
      projectId: about.projectId,
      detail: { stageId: about.stageId, items: ids.length },
    });
    return { items: ids.length };
  });
}

/** Returns the settled items whose only answer is by this worker. */
async function singleAnswers(db: Db, about: Doubted): Promise<string[]> {
  const counting = await countingSince(db, about, null);
  const found = await db.execute<{ id: string }>(sql`
    select id from ${items}
    where id = any (${sql.param(counting.map(({ itemId }) => itemId))}::uuid[])
      and state = 'settled' and answered = 1`);
  return found.rows.map(({ id }) => id);
}
