import { inArray, type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, newId, type Transaction, tables } from '@/db';
import { actorId } from '@/lib/core/actor';
import type { Actor } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { isSetAside } from '../work/is-set-aside';
import { payFor } from '../work/pay-for';
import { crowdStage } from './rules-in-force';

const { decisions, items, labels, leases, stages, answers, batches, checks, gold } = tables;

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

/**
 * Of attributes that are asked again: questions that nobody has answered or is at. Those about further objects and stuff
 * do not follow from attributes.
 */
export const withdrawFollowing = (tx: Transaction, ids: readonly string[]) =>
  tx.execute(sql`
    update ${items} later set state = 'withdrawn'
    from ${items} cause
    join ${stages} s on s.id = cause.stage_id and s.kind = 'attributes'
    join ${stages} after on after.project_id = s.project_id and after.position > s.position
    where cause.id = any (${sql.param(ids)}::uuid[]) and later.image_id = cause.image_id
      and later.stage_id = after.id and after.kind in ('object-mask', 'part-mask')
      and position('#' in later.target) = 0
      and later.state = 'open' and later.answered = 0 and later.leased = 0`);

export interface AskingAgain {
  /** The check after which the work is in doubt; null for all of it. */
  since: Date | null;
  answers: number;
  /** What the same number of answers by others costs, in millionths. */
  amountMicro: bigint;
  currency: string;
}

/** What asking again would cost, before anybody decides to. */
export async function costOfAskingAgain(db: Database, actor: Actor, about: Doubted): Promise<AskingAgain> {
  const { stageKind, policy } = await crowdStage(db, actor, 'crowd.read', about.stageId);
  const { since, answers } = await workInDoubt(db, about);
  const amountMicro = payFor(policy, {
    stageKind,
    kind: 'work',
    answered: answers.length,
    size: answers.length,
  });
  return { since, answers: answers.length, amountMicro, currency: policy.pay.currency };
}

export interface Doubted {
  stageId: string;
  workerId: string;
}

/**
 * The answers of a worker that may be asked again: all since the last check they passed before the first one that
 * a decision since their last fresh start names; without such a decision, since the last check they passed at all.
 */
async function workInDoubt(
  db: Db,
  { stageId, workerId }: Doubted,
): Promise<{ since: Date | null; answers: { id: string; itemId: string }[] }> {
  const checked = sql`
    select c.id, c.passed, a.created_at as at
    from ${checks} c
    join ${leases} l on l.id = c.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind = 'work'
    join ${answers} a on a.lease_id = l.id
    where c.worker_id = ${workerId} and c.passed is not null`;
  const found = await db.execute<{ since: string | null }>(sql`
    with checked as (${checked}), about as (
      select id, verdict, target, rule, evidence from ${decisions}
      where subject = 'worker' and subject_id = ${workerId} and stage_id = ${stageId} and target is null
    ), named as (
      select jsonb_array_elements_text(evidence) as id from about
      where id > all (select id from about where verdict = 'resume' and target is null
        and rule is distinct from 'refresher')
    ), trouble as (
      select min(at) as at from checked where not passed and id::text in (select id from named)
    )
    select max(at) as since from checked where passed and at < coalesce((select at from trouble), now())`);
  const since = found.rows[0]?.since ? new Date(found.rows[0].since) : null;
  return { since, answers: await countingSince(db, { stageId, workerId }, since) };
}

/**
 * Answers to ordinary items that count by now. What has become gold since, by which people are measured, and what a
 * curator has put right does not rest on them any more.
 */
export async function countingSince(db: Db, { stageId, workerId }: Doubted, since: Date | null) {
  const found = await db.execute<{ id: string; itemId: string }>(sql`
    select a.id, a.item_id as "itemId"
    from ${answers} a
    join ${leases} l on l.id = a.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind = 'work' and b.state <> 'leased'
    where a.worker_id = ${workerId} and (${since}::timestamptz is null or a.created_at > ${since}::timestamptz)
      and l.state <> 'late' and not exists (select 1 from ${checks} c where c.lease_id = l.id)
      and not ${isSetAside}
      and not exists (select 1 from ${gold} g where g.item_id = a.item_id and g.state = 'active')
      and not exists (select 1 from ${labels} made where made.item_id = a.item_id and made.is_current
        and made.provenance->>'method' = 'curator')
    order by a.created_at, a.id`);
  return found.rows;
}
