import type { StageKind } from './answer';
import type { Policy } from './policy';

/** What is known about a finished batch or exam before it is paid. */
export interface FinishedWork {
  stageKind: StageKind;
  answered: number;
  /** How often the most common answer was given. */
  mostCommon: number;
  /** From taking the batch to its last answer, by the clock of the server. */
  seconds: number;
  isFailedExam?: boolean;
}

/** One different answer among ten does not make a batch different. */
const CONSTANT_SHARE = 0.9;
/**
 * A failed exam is paid, so people could answer a few items alike, leave or vary the others, and fail on purpose. The
 * gold of an exam is mixed, so this share of equal answers needs a look even when only some items were answered.
 */
const FAILED_EXAM_SHARE = 0.6;

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
  return isConstant(work, payReview.constantAnswers) ? 'constant' : null;
}

function isConstant(work: FinishedWork, constantAnswers: number | null): boolean {
  // The class of an image is often the same throughout a batch of an oracle stage.
  if (constantAnswers === null || work.stageKind === 'oracle') return false;
  const share = work.mostCommon / work.answered;
  if (work.isFailedExam) return work.mostCommon > 1 && share >= FAILED_EXAM_SHARE;
  return work.answered >= constantAnswers && share >= CONSTANT_SHARE;
}
