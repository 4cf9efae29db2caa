import type { Policy } from './policy';
import type { StageKind } from './stage-kind';

/** What is known about a finished batch or exam before it is paid. */
export interface FinishedWork {
  stageKind: StageKind;
  answered: number;
  /** How often the most common answer was given. */
  mostCommon: number;
  /** From taking the batch to its last answer, by the clock of the server. */
  seconds: number;
}

/** One different answer among ten does not make a batch different. */
const CONSTANT_SHARE = 0.9;

export type ReviewReason = 'instant' | 'constant';

/**
 * Returns the reason why a curator reviews a batch before it is paid; null if it is paid automatically. Time is
 * measured on the server, because a client can report any active time.
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
  const isConstant = work.stageKind !== 'oracle' && work.mostCommon >= CONSTANT_SHARE * work.answered;
  return constantAnswers !== null && isConstant && work.answered >= constantAnswers ? 'constant' : null;
}

/** Tells the worker why the work is in review and what happens next. */
export const reviewTexts: Record<ReviewReason, string> = {
  instant: 'You finished very fast. A person will check your work before it is paid.',
  constant: 'Nearly all your answers are the same. A person will check your work before it is paid.',
};
