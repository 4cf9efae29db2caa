import { sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import { reviewReason } from '@/lib/core/quality/pay-review';
import type { Closing } from './close-batches';
import { payFor } from './pay-for';
import { promisedFor } from './price';

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
export async function countAnswers(tx: Transaction, ids: readonly string[]): Promise<Map<string, Count>> {
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
