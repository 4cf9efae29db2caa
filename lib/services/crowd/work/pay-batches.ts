import { inArray, sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { groupBy } from '@/lib/core/quality/group-by';
import { type ReviewReason, reviewReason } from '@/lib/core/quality/pay-review';
import type { Policy } from '@/lib/core/quality/policy';
import type { Closing } from './close-batches';
import { type Price, payFor, promisedFor } from './pay-for';

const { answers, batches, exams, leases, ledger, payReviews } = tables;

type Count = {
  batchId: string;
  size: number;
  answered: number;
  mostCommon: number;
  seconds: number;
  isFailedExam: boolean;
};

/**
 * Pays the finished items of batches. An exam that was decided early is paid as a whole one. Instant and constant
 * work waits for a curator instead.
 */
export async function payBatches(
  tx: Transaction,
  { batches: list, stageKind, policy, decided }: Closing & { decided: ReadonlySet<string> },
): Promise<void> {
  const counts = await countAnswers(
    tx,
    list.map(({ id }) => id),
  );
  const due = list.flatMap((batch) => {
    const { id, projectId, workerId, kind } = batch;
    const count = counts.get(id);
    if (!count || count.answered === 0) return [];
    const answered = decided.has(id) ? count.size : count.answered;
    const price = promisedFor(batch, policy);
    if (kind === 'practice' && !price.paysPractice) return [];
    return [
      {
        batchId: id,
        projectId,
        workerId,
        kind: kind === 'exam' ? ('exam' as const) : ('batch' as const),
        amountMicro: payFor(price, { stageKind, kind, answered, size: count.size }),
        currency: price.pay.currency,
        reason: reviewReason({ ...count, stageKind }, policy),
      },
    ];
  });
  const paid = due.filter(({ reason }) => reason === null);
  if (paid.length > 0)
    await tx
      .insert(ledger)
      .values(paid.map(({ batchId, reason: _, ...line }) => ({ ...line, id: newId(), sourceId: batchId })));
  const inReview = due.flatMap(({ reason, ...line }) => (reason ? [{ ...line, reason }] : []));
  if (inReview.length > 0) await tx.insert(payReviews).values(inReview);
}

/** Counts the answers of batches, and the time from taking a batch to its last answer. */
async function countAnswers(tx: Transaction, ids: readonly string[]): Promise<Map<string, Count>> {
  const found = await tx.execute<Count>(sql`
    select l.batch_id as "batchId", count(*)::int as size, count(a.id)::int as answered,
      coalesce(max(a.same), 0)::int as "mostCommon",
      greatest(0, extract(epoch from max(a.created_at) - min(b.created_at)))::float as seconds,
      exists (select 1 from ${exams} e where e.batch_id = l.batch_id and e.passed is false) as "isFailedExam"
    from ${leases} l
    join ${batches} b on b.id = l.batch_id
    left join (
      select given.id, given.lease_id, given.created_at,
        count(*) over (partition by own.batch_id, md5(given.value::text)) as same
      from ${answers} given join ${leases} own on own.id = given.lease_id and own.state = 'answered'
      where own.batch_id = any(${sql.param(ids)}::uuid[])) a on a.lease_id = l.id
    where l.batch_id = any(${sql.param(ids)}::uuid[]) group by l.batch_id`);
  return new Map(found.rows.map((row) => [row.batchId, row]));
}

type Due = {
  answerId: string;
  batchId: string;
  projectId: string;
  workerId: string;
  kind: 'work';
  pay: Record<string, unknown> | null;
};

/**
 * Pays late answers. Their batch is paid already, so each of them is a separate line in the ledger. They are judged
 * with the rest of their batch: if it is instant or constant as a whole, a curator reviews them first.
 */
export async function payLateAnswers(
  tx: Transaction,
  leaseIds: readonly string[],
  { stageKind, policy }: { stageKind: StageKind; policy: Policy },
): Promise<void> {
  const found = await tx.execute<Due>(sql`
    select a.id as "answerId", b.id as "batchId", b.project_id as "projectId", b.worker_id as "workerId", b.kind, b.pay
    from ${leases} l join ${answers} a on a.lease_id = l.id join ${batches} b on b.id = l.batch_id
    where l.id = any (${sql.param(leaseIds)}::uuid[])`);
  const batchIds = [...new Set(found.rows.map(({ batchId }) => batchId))];
  const [counts, decided] = [await countAnswers(tx, batchIds), await reviewsOf(tx, batchIds)];
  const paid: Line[] = [];
  const inReview: (typeof payReviews.$inferInsert)[] = [];
  for (const [batchId, due] of groupBy(found.rows, (row) => row.batchId)) {
    const lines = due.map((row) => lineOf(row, stageKind, policy));
    const count = counts.get(batchId);
    const reason = count ? reviewReason({ ...count, stageKind }, policy) : null;
    const state = decided.get(batchId);
    // A curator who has approved a batch has looked at its answers; one that was refused stays refused.
    if (state === 'open' || (reason && !state)) inReview.push(reviewOf(batchId, lines, reason ?? 'constant'));
    else if (!reason || state === 'approved') paid.push(...lines);
  }
  if (paid.length > 0) await tx.insert(ledger).values(paid);
  if (inReview.length > 0)
    await tx
      .insert(payReviews)
      .values(inReview)
      .onConflictDoUpdate({
        target: payReviews.batchId,
        set: { amountMicro: sql`${payReviews.amountMicro} + excluded.amount_micro` },
      });
}

function lineOf({ answerId, projectId, workerId, kind, pay }: Due, stageKind: StageKind, policy: Policy) {
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
}

async function reviewsOf(tx: Transaction, batchIds: readonly string[]) {
  const found = await tx
    .select({ batchId: payReviews.batchId, state: payReviews.state })
    .from(payReviews)
    .where(inArray(payReviews.batchId, [...batchIds]))
    .for('no key update');
  return new Map(found.map(({ batchId, state }) => [batchId, state]));
}

type Line = ReturnType<typeof lineOf>;

const reviewOf = (batchId: string, lines: readonly Line[], reason: ReviewReason) => {
  const { projectId, workerId, currency } = lines[0] as Line;
  const amountMicro = lines.reduce((sum, line) => sum + line.amountMicro, 0n);
  return { batchId, projectId, workerId, kind: 'item' as const, reason, amountMicro, currency };
};
