import { inArray, type SQL, sql } from 'drizzle-orm';
import { type Database, newId, type Transaction, tables } from '@/db';
import { actorId } from '@/lib/core/actor';
import type { Actor } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { crowdStage } from './crowd-stage';
import { type Doubted, workInDoubt } from './work-in-doubt';

const { decisions, items, labels, leases, stages } = tables;

/** Above ordinary work, so that what was in doubt does not wait for the end of the stage. */
const PRIORITY = 10;
const ROWS_PER_INSERT = 1000;

/**
 * Sets aside the worker's answers that are in doubt and asks others: the labels made from them are no longer
 * current, their items are open again, and questions that only followed from them wait until they follow anew.
 * The worker stays paid. Gives the number of answers.
 */
export async function askAgain(db: Database, actor: Actor, about: Doubted): Promise<{ answers: number }> {
  const stage = await crowdStage(db, actor, 'crowd.manage', about.stageId);
  return db.transaction((tx) => askAgainIn(tx, actor, { ...stage, ...about }));
}

export async function askAgainIn(
  tx: Transaction,
  actor: Actor,
  about: Doubted & { projectId: string },
): Promise<{ answers: number }> {
  const before = await workInDoubt(tx, about);
  await lockWithImages(
    tx,
    before.answers.map((answer) => answer.itemId),
  );
  // Asked again: another curator may have set the same answers aside while we waited for their items.
  const { answers } = await workInDoubt(tx, about);
  if (answers.length === 0) return { answers: 0 };
  const ids = [...new Set(answers.map((answer) => answer.itemId))];
  await setAside(tx, actor, about, answers);
  await tx.execute(sql`
    update ${labels} set is_current = false where is_current and item_id = any (${sql.param(ids)}::uuid[])`);
  await reopenItems(tx, ids, sql`answered = answered - 1`);
  await withdrawFollowing(tx, ids);
  await record(tx, {
    actor,
    verb: 'work.ask-again',
    subject: 'user',
    subjectId: about.workerId,
    projectId: about.projectId,
    detail: { stageId: about.stageId, answers: answers.length },
  });
  return { answers: answers.length };
}

/**
 * Locks what asking again may change together with what ends with open batches of the worker: one after the other would
 * be out of the order of ids.
 */
export async function holdDoubted(
  tx: Transaction,
  about: Doubted,
  open: readonly { id: string }[],
): Promise<void> {
  const { answers } = await workInDoubt(tx, about);
  const begun = await tx
    .select({ itemId: leases.itemId })
    .from(leases)
    .where(
      inArray(
        leases.batchId,
        open.map(({ id }) => id),
      ),
    );
  await lockWithImages(
    tx,
    [...answers, ...begun].map(({ itemId }) => itemId),
  );
}

/** Items that follow from others are of the same image and younger, so one order of ids holds for all. */
export const lockWithImages = (tx: Transaction, ids: readonly string[]) =>
  tx.execute(sql`
    select id from ${items} where id = any (array(
      select later.id from ${items} i join ${items} later on later.image_id = i.image_id
      where i.id = any (${sql.param(ids)}::uuid[])))
    order by id for no key update`);

/** Reopens items ahead of ordinary work and updates their counts. Withdrawn items stay withdrawn. */
export const reopenItems = (tx: Transaction, ids: readonly string[], counts: SQL) =>
  tx.execute(sql`
    update ${items} set ${counts}, priority = greatest(priority, ${PRIORITY}),
      state = case when state = 'withdrawn' then state else 'open' end
    where id = any (${sql.param(ids)}::uuid[])`);

async function setAside(
  tx: Transaction,
  actor: Actor,
  { projectId, stageId }: Doubted & { projectId: string },
  answers: readonly { id: string }[],
): Promise<void> {
  const rows = answers.map((answer) => ({
    id: newId(),
    projectId,
    subject: 'answer' as const,
    subjectId: answer.id,
    stageId,
    verdict: 'set-aside',
    reason: 'The work since the last good check was asked again. The answer stays paid.',
    rule: 'ask-again',
    ruleVersion: 1,
    evidence: [],
    decidedBy: actorId(actor),
  }));
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    await tx.insert(decisions).values(rows.slice(from, from + ROWS_PER_INSERT));
  }
}

/** Of attributes that are asked again: questions that nobody has answered or is at. */
export const withdrawFollowing = (tx: Transaction, ids: readonly string[]) =>
  tx.execute(sql`
    update ${items} later set state = 'withdrawn'
    from ${items} cause
    join ${stages} s on s.id = cause.stage_id and s.kind = 'attributes'
    join ${stages} after on after.project_id = s.project_id and after.position > s.position
    where cause.id = any (${sql.param(ids)}::uuid[]) and later.image_id = cause.image_id
      and later.stage_id = after.id and after.kind in ('object-mask', 'part-mask')
      and later.state = 'open' and later.answered = 0 and later.leased = 0`);
