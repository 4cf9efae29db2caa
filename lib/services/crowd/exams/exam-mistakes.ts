import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { findMistakes, type ItemOutcome, type MistakeKind, maskOutcome } from '@/lib/core/quality/mistakes';
import { positivesOf } from '@/lib/core/quality/score-check';
import { drawsMasks } from '../work/pay-for';

const { answers, checks, gold, images, items, leases } = tables;

/** The kinds of mistakes in a worker's finished exam. Which items they were in stays hidden. */
export async function examMistakes(
  db: Db,
  exam: { batchId: string; workerId: string; stageKind: StageKind },
): Promise<MistakeKind[]> {
  const rows = await db
    .select({
      answer: { value: answers.value, mask: answers.mask },
      truth: { value: gold.value, mask: gold.mask },
      height: images.height,
      width: images.width,
    })
    .from(leases)
    .innerJoin(checks, eq(checks.leaseId, leases.id))
    .innerJoin(gold, eq(gold.id, checks.goldId))
    .innerJoin(answers, eq(answers.leaseId, leases.id))
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(images, eq(images.id, items.imageId))
    .where(and(eq(leases.batchId, exam.batchId), eq(leases.workerId, exam.workerId)));
  return findMistakes(
    rows.map(({ answer, truth, height, width }) =>
      drawsMasks(exam.stageKind)
        ? maskOutcome(answer.mask, truth.mask, height, width)
        : formOutcome(answer.value as AnswerValue, truth.value as AnswerValue),
    ),
  );
}

function formOutcome(answer: AnswerValue, truth: AnswerValue): ItemOutcome {
  const [marked, right] = [positivesOf(answer), positivesOf(truth)];
  const found = marked.filter((id) => right.includes(id)).length;
  return { isMask: false, found, missed: right.length - found, extra: marked.length - found };
}
