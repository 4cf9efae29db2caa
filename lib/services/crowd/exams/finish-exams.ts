import { sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { examResult, examVerdict } from '@/lib/core/quality/exam';
import type { Policy } from '@/lib/core/quality/policy';
import { positivesOf } from '@/lib/core/quality/score-check';
import { scoreChecks } from '../checks/score-checks';
import { closeBatches } from '../work/close-batches';
import type { HeldBatch } from '../work/lock';
import { examSettings } from './exam-settings';

const { checks, exams, gold, leases } = tables;

type Row = { batchId: string; score: Record<string, number> | null; value: AnswerValue };

/**
 * Holds the scores of exams that have ended against the bar, and gives the batches of those that were decided
 * before their end. In the others, what was left unanswered counts as missed.
 */
export async function finishExams(
  tx: Transaction,
  batchIds: readonly string[],
  stageKind: StageKind,
  policy: Policy,
): Promise<Set<string>> {
  const decided = new Set<string>();
  if (batchIds.length === 0) return decided;
  const rows = await checksOf(tx, batchIds);
  for (const batchId of batchIds) {
    const own = rows.filter((row) => row.batchId === batchId);
    const answered = own.flatMap(({ score }) => (score ? [score] : []));
    const isDecided = examVerdict(stageKind, answered, policy) !== 'go-on';
    if (isDecided) decided.add(batchId);
    const scores = isDecided ? answered : own.map((row) => row.score ?? missed(row.value));
    const result = examResult(stageKind, scores, policy);
    await tx.execute(sql`
      update ${exams} set precision = ${result.precision}, recall = ${result.recall},
        mean_iou = ${result.meanIou}, passed = ${result.passed}, finished_at = now()
      where batch_id = ${batchId} and finished_at is null`);
  }
  return decided;
}

async function checksOf(tx: Transaction, batchIds: readonly string[]): Promise<Row[]> {
  const found = await tx.execute<Row>(sql`
    select l.batch_id as "batchId", c.score, g.value
    from ${leases} l
    join ${checks} c on c.lease_id = l.id
    join ${gold} g on g.id = c.gold_id
    where l.batch_id = any (${sql.param(batchIds)}::uuid[])
    order by l.position`);
  return found.rows;
}

const missed = (truth: AnswerValue): Record<string, number> => ({
  level: 0,
  truePositives: 0,
  falsePositives: 0,
  falseNegatives: positivesOf(truth).length,
});

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
