import type { WorkOffer } from '@/lib/services/crowd/work';

export const pathSteps = ['consent', 'guide', 'practice', 'exam', 'work'] as const;
export type PathStep = (typeof pathSteps)[number];

export interface Path {
  steps: readonly PathStep[];
  /** The step to take now; the steps before it are done. */
  next: PathStep;
}

type Standing = Pick<WorkOffer, 'gate' | 'openBatch'> & {
  exam: Pick<NonNullable<WorkOffer['exam']>, 'passed' | 'attempts' | 'practice'> | null;
};

/** The way of a new worker through one stage, from the consent to paid work; null for who has arrived. */
export function pathOf({ gate, exam, openBatch }: Standing, hasReadGuide: boolean): Path | null {
  const hasAgreed = gate?.gate !== 'consent';
  const needsExam = exam !== null && !exam.passed;
  if (hasAgreed && !needsExam) return null;
  const practice = exam?.practice ?? 'none';
  const attempts = exam?.attempts ?? 0;
  const isDone: Record<PathStep, boolean> = {
    consent: hasAgreed,
    // Somebody who has practised or taken the exam is not sent back to the start.
    guide: hasReadGuide || practice === 'done' || attempts > 0 || openBatch !== null,
    practice: practice !== 'open' || attempts > 0 || openBatch?.kind === 'exam',
    exam: !needsExam,
    work: false,
  };
  const steps = pathSteps.filter(
    (step) => (step !== 'practice' || practice !== 'none') && (step !== 'exam' || exam !== null),
  );
  return { steps, next: steps.find((step) => !isDone[step]) ?? 'work' };
}
