import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { examVerdict } from '@/lib/core/quality/exam';
import { scoreChecks } from '../checks/score-checks';
import { closeBatches } from '../work/close-batches';
import type { HeldBatch } from '../work/hold-batch';
import { examSettings } from './exam-settings';

const { checks, leases } = tables;

/** Ends an adaptive exam as soon as the answers so far lie clearly on one side of the bar. */
export async function endDecidedExam(
  tx: Transaction,
  { batch, stageKind, policy }: HeldBatch,
): Promise<boolean> {
  if (!examSettings(policy, stageKind)?.isAdaptive || batch.state !== 'leased') return false;
  await scoreChecks(tx, sql`l.batch_id = ${batch.id}`, stageKind, policy);
  const found = await tx.execute<{ score: Record<string, number> }>(sql`
    select c.score from ${checks} c join ${leases} l on l.id = c.lease_id
    where l.batch_id = ${batch.id} and c.score is not null order by l.position`);
  const scores = found.rows.map((row) => row.score);
  if (examVerdict(stageKind, scores, policy) === 'go-on') return false;
  await closeBatches(tx, { batches: [batch], state: 'submitted', stageKind, policy });
  return true;
}
