import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Database, isDatabaseGone, type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { conflict } from '@/lib/core/errors';
import type { Policy } from '@/lib/core/quality/policy';
import { log } from '@/lib/services/observability/log';
import { scoreChecks } from '../checks/score-checks';
import { rotateGold } from '../gold/rotate-gold';
import { effectivePolicy } from './effective-policy';
import { closedCode, closedText, type HeldBatch, holdItems } from './lock';
import { payLateAnswers } from './pay-batches';
import { settleAnswers } from './settle-answers';

const { answers, batches, jobs, leases, projects, stages, standings } = tables;

/**
 * Refuses an answer whose batch has ended if the worker was stopped or has reached the daily limit. An accepted answer
 * is only stored: late answers are scored, counted and paid together, when the worker's next batch ends or by the
 * hourly job. Settled one by one, they would change the worker's score and balance and so reveal checks.
 */
export async function requireLateAnswerAllowed(tx: Transaction, held: HeldBatch): Promise<void> {
  const { batch, policy } = held;
  if (batch.state === 'leased')
    throw conflict('You reported this item as broken.', { state: 'released', code: 'itemReported' });
  if (batch.state === 'returned' || batch.kind !== 'work')
    throw conflict(closedText[batch.state], { state: batch.state, code: closedCode[batch.state] });
  await requireNotStopped(tx, held);
  await requireNotChanging(tx, held);
  const { lateAnswersPerDay } = policy.limits;
  if (lateAnswersPerDay !== null && (await countLate(tx, held)) >= lateAnswersPerDay)
    throw conflict(
      `You sent ${lateAnswersPerDay} answers after their batch had ended in the last 24 hours. That is the limit. Take a new batch: items that you left open can come back in it.`,
      { gate: 'limit', code: 'lateLimit' },
    );
}

async function requireNotStopped(tx: Transaction, { batch }: HeldBatch): Promise<void> {
  const [standing] = await tx
    .select({ state: standings.state })
    .from(standings)
    .where(and(eq(standings.stageId, batch.stageId), eq(standings.workerId, batch.workerId)));
  if (standing?.state === 'paused' || standing?.state === 'ended')
    throw conflict('Your work in this stage was stopped. Finished items are kept and paid.', {
      gate: standing.state,
      code: 'workStopped',
    });
}

/** A late answer that arrives while the schema is being changed would be counted by a question that is gone. */
async function requireNotChanging(tx: Transaction, { batch }: HeldBatch): Promise<void> {
  const [job] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.projectId, batch.projectId),
        eq(jobs.kind, 'change-schema'),
        inArray(jobs.state, ['queued', 'running', 'retrying']),
      ),
    )
    .limit(1);
  if (job)
    throw conflict('The questions of this project are being changed. Take a new batch in a few minutes.', {
      code: 'changing',
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
  await payLateAnswers(tx, leaseIds, { stageKind, policy });
  return shown;
}

/**
 * Settles the late answers of workers who sent none for an hour and did not come back. Each worker is settled in one
 * transaction. A failure, for example an invalid policy, is logged and does not keep others from being paid.
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
  let settled = 0;
  for (const { stageId, workerId, stageKind, stagePolicy, projectPolicy } of waiting.rows) {
    try {
      const scope = { stageId, stageKind, policy: effectivePolicy(projectPolicy, stagePolicy) };
      await db.transaction(async (tx) => {
        const shown = await settleLateAnswers(tx, scope, await claimLateLeases(tx, scope, [workerId]));
        await rotateGold(tx, shown, scope.policy);
      });
      settled++;
    } catch (error) {
      if (isDatabaseGone(error)) throw error;
      log.error({ err: error, stageId, workerId }, 'late answers could not be settled');
    }
  }
  return settled;
}

type Overdue = {
  stageId: string;
  workerId: string;
  stageKind: StageKind;
  stagePolicy: Record<string, unknown>;
  projectPolicy: Record<string, unknown>;
};
