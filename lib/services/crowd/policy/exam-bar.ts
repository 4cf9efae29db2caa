import { z } from 'zod';
import type { Policy } from '@/lib/core/quality/policy';

const share = z.number().min(0).max(1);

/** The bar of one exam: precision and recall jointly, or the mean IoU. */
export const ExamBar = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('attributes'), precision: share, recall: share }),
  z.strictObject({ kind: z.literal('masks'), iou: share }),
]);
export type ExamBar = z.infer<typeof ExamBar>;

export interface ExamScores {
  precision: number | null;
  recall: number | null;
  meanIou: number | null;
}

export function reaches(bar: ExamBar, scores: ExamScores): boolean {
  if (bar.kind === 'masks') return (scores.meanIou ?? 0) >= bar.iou;
  return (scores.precision ?? 0) >= bar.precision && (scores.recall ?? 0) >= bar.recall;
}

/** The bar in force; null where the stage has no exam. */
export function barOf(stageKind: string, policy: Policy): ExamBar | null {
  const { attributeExam, maskExam } = policy;
  if (stageKind === 'attributes') {
    return { kind: 'attributes', precision: attributeExam.minPrecision, recall: attributeExam.minRecall };
  }
  return stageKind.endsWith('mask') ? { kind: 'masks', iou: maskExam.minMeanIou } : null;
}
