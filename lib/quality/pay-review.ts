import type { Policy } from './policy';
import type { StageKind } from './stage-kind';

/** What is known about a finished batch or exam before it is paid. */
export interface FinishedWork {
  stageKind: StageKind;
  answered: number;
  /** Different answers among them. */
  distinct: number;
  /** Server time from taking the batch to its end. */
  seconds: number;
}

export type ReviewReason = 'instant' | 'constant';

/**
 * Why a curator looks at a batch before it is paid; null if it is paid at once. The time is the server's own, because
 * the active time that a client reports can be invented.
 */
export function reviewReason(
  work: FinishedWork,
  { payReview }: Pick<Policy, 'payReview'>,
): ReviewReason | null {
  if (work.answered === 0) return null;
  const isForm = work.stageKind === 'attributes' || work.stageKind === 'oracle';
  const minSeconds = isForm ? payReview.minFormSeconds : payReview.minMaskSeconds;
  if (work.seconds < minSeconds * work.answered) return 'instant';
  const { constantAnswers } = payReview;
  // The class of an image is often the same throughout a batch of an oracle stage.
  const isConstant = work.stageKind !== 'oracle' && work.distinct === 1;
  return constantAnswers !== null && isConstant && work.answered >= constantAnswers ? 'constant' : null;
}

/** For the worker: what is looked at, and what happens next. */
export const reviewTexts: Record<ReviewReason, string> = {
  instant: 'You finished very fast. A person checks the work before it is paid.',
  constant: 'All your answers are the same. A person checks the work before it is paid.',
};
