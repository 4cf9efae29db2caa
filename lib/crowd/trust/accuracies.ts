import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { groupBy } from '@/lib/quality/group-by';
import { accuracyOf } from '@/lib/quality/posterior';

const { batches, checks, leases } = tables;

type Row = { workerId: string; passed: boolean; score: Record<string, number> };

/** The newest checks tell how somebody works now, and a long past must not make every batch slower to end. */
const NEWEST = 100;

/** The chance that what each of the workers says in a stage is right, from its checks and exams. */
export async function accuracies(
  tx: Transaction,
  stageId: string,
  workerIds: readonly string[],
): Promise<Map<string, number>> {
  const found = await tx.execute<Row>(sql`
    select w.id as "workerId", c.passed, c.score
    from unnest(${sql.param(workerIds)}::uuid[]) as w(id)
    cross join lateral (
      select c.passed, c.score from ${checks} c
      join ${leases} l on l.id = c.lease_id
      join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind in ('work', 'exam')
      where c.worker_id = w.id and c.passed is not null
      order by c.id desc limit ${NEWEST}) c`);
  const byWorker = groupBy(found.rows, (row) => row.workerId);
  return new Map(workerIds.map((id) => [id, accuracyOf(byWorker.get(id) ?? [])]));
}
