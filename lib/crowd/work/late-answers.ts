import { and, eq, sql } from 'drizzle-orm';
import { type Database, newId, type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { conflict } from '@/lib/errors';
import type { Policy } from '@/lib/quality/policy';
import { scoreChecks } from '../checks/score-checks';
import { rotateGold } from '../gold/rotate-gold';
import { effectivePolicy } from './effective-policy';
import { closedText, type HeldBatch } from './hold-batch';
import { holdItems } from './hold-items';
import { payFor } from './pay-for';
import { type Price, promisedFor } from './price';
import { settleAnswers } from './settle-answers';

const { answers, batches, leases, ledger, projects, stages, standings } = tables;

/**
 * Decides whether an answer is accepted whose batch has ended. It is only stored: late answers are scored, counted
 * and paid together, when the worker's next batch ends or by the hourly job. One by one, the change in the worker's
 * score or balance would show which of them were checks.
 */
export async function requireLateAnswerAllowed(tx: Transaction, held: HeldBatch): Promise<void> {
  const { batch, policy } = held;
  if (batch.state === 'leased') throw conflict('You reported this item as broken.', { state: 'released' });
  if (batch.state === 'returned' || batch.kind !== 'work')
    throw conflict(closedText[batch.state], { state: batch.state });
  await requireNotStopped(tx, held);
  const { lateAnswersPerDay } = policy.limits;
  if (lateAnswersPerDay !== null && (await countLate(tx, held)) >= lateAnswersPerDay)
    throw conflict(
      `Today you sent ${lateAnswersPerDay} answers after their batch had ended. No more are accepted. Take a new batch: items that you left open can come back in it.`,
      { gate: 'limit' },
    );
}

async function requireNotStopped(tx: Transaction, { batch }: HeldBatch): Promise<void> {
  const [standing] = await tx
    .select({ state: standings.state })
    .from(standings)
    .where(and(eq(standings.stageId, batch.stageId), eq(standings.workerId, batch.workerId)));
  if (standing?.state === 'paused' || standing?.state === 'ended')
    throw conflict('Your work in this stage was stopped. What you had finished by then is kept and paid.', {
      gate: standing.state,
    });
}

async function countLate(tx: Transaction, { batch }: HeldBatch): Promise<number> {
  const found = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from ${answers} a
    join ${leases} l on l.id = a.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${batch.stageId}
    where a.worker_id = ${batch.workerId} and a.is_late and a.created_at > now() - interval '1 day'`);
  return found.rows[0]?.n ?? 0;
}

export interface LateScope {
  stageId: string;
  stageKind: StageKind;
  policy: Policy;
}

/** Claims the late answers of some workers in a stage, or of all; returns their leases. */
export async function claimLateLeases(
  tx: Transaction,
  { stageId }: Pick<LateScope, 'stageId'>,
  workerIds: readonly string[] | null,
): Promise<string[]> {
  const whose = workerIds ? sql`l.worker_id = any (${sql.param(workerIds)}::uuid[])` : sql`true`;
  const claimed = await tx.execute<{ id: string }>(sql`
    update ${leases} set state = 'answered' where id in (
      select l.id from ${leases} l join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId}
      where l.state = 'late' and ${whose} order by l.id for no key update of l skip locked)
    returning id`);
  return claimed.rows.map(({ id }) => id);
}

/** Scores, counts and pays claimed late answers; returns the gold that was scored. */
export async function settleLateAnswers(
  tx: Transaction,
  { stageKind, policy }: LateScope,
  leaseIds: readonly string[],
): Promise<string[]> {
  if (leaseIds.length === 0) return [];
  const which = sql`l.id = any (${sql.param(leaseIds)}::uuid[])`;
  const held = await holdItems(tx, which);
  const shown = await scoreChecks(tx, which, stageKind, policy);
  await settleAnswers(tx, { which, held, stageKind, policy, inTime: false });
  await payLate(tx, leaseIds, stageKind, policy);
  return shown;
}

/**
 * Settles the late answers of workers who sent none for an hour and did not come back. Workers are settled whole, a
 * transaction for each.
 */
export async function settleOverdueLateAnswers(db: Database): Promise<number> {
  const waiting = await db.execute<Overdue>(sql`
    select b.stage_id as "stageId", l.worker_id as "workerId", s.kind as "stageKind", s.policy as "stagePolicy",
      p.policy as "projectPolicy"
    from ${leases} l
    join ${answers} a on a.lease_id = l.id
    join ${batches} b on b.id = l.batch_id
    join ${stages} s on s.id = b.stage_id
    join ${projects} p on p.id = s.project_id
    where l.state = 'late'
    group by b.stage_id, l.worker_id, s.kind, s.policy, p.policy
    having max(a.created_at) < now() - interval '1 hour'`);
  for (const { stageId, workerId, stageKind, stagePolicy, projectPolicy } of waiting.rows) {
    const scope = { stageId, stageKind, policy: effectivePolicy(projectPolicy, stagePolicy) };
    await db.transaction(async (tx) => {
      const shown = await settleLateAnswers(tx, scope, await claimLateLeases(tx, scope, [workerId]));
      await rotateGold(tx, shown, scope.policy);
    });
  }
  return waiting.rows.length;
}

type Overdue = {
  stageId: string;
  workerId: string;
  stageKind: StageKind;
  stagePolicy: Record<string, unknown>;
  projectPolicy: Record<string, unknown>;
};

type Due = {
  answerId: string;
  projectId: string;
  workerId: string;
  kind: 'work';
  pay: Record<string, unknown> | null;
};

/** The batch is closed and paid: each answer that came later is a line of its own. */
async function payLate(
  tx: Transaction,
  leaseIds: readonly string[],
  stageKind: StageKind,
  policy: Policy,
): Promise<void> {
  const found = await tx.execute<Due>(sql`
    select a.id as "answerId", b.project_id as "projectId", b.worker_id as "workerId", b.kind, b.pay
    from ${leases} l join ${answers} a on a.lease_id = l.id join ${batches} b on b.id = l.batch_id
    where l.id = any (${sql.param(leaseIds)}::uuid[])`);
  const lines = found.rows.map(({ answerId, projectId, workerId, kind, pay }) => {
    const price: Price = promisedFor({ pay }, policy);
    return {
      id: newId(),
      projectId,
      workerId,
      kind: 'item' as const,
      sourceId: answerId,
      amountMicro: payFor(price, { stageKind, kind, answered: 1, size: 1 }),
      currency: price.pay.currency,
      note: 'Answered after the batch ended',
    };
  });
  if (lines.length > 0) await tx.insert(ledger).values(lines);
}
