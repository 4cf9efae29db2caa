import type { Policy } from './policy';
import { settleAttributes } from './posterior/attributes';
import { settleClass } from './posterior/class';
import { settleMask } from './posterior/mask';
import type { Outcome, WeighedAnswer } from './posterior/outcome';

export { accuracyOf, smoothedAccuracy } from './posterior/accuracy';
export type { WeighedAnswer } from './posterior/outcome';

export type Settled = Outcome & {
  /** The posterior reaches the policy's confidence. */
  isSure: boolean;
};

type Size = { height: number; width: number };

/** Joins the answers to one item by Bayes' rule. Null of no answers. */
export function settle(
  answers: readonly WeighedAnswer[],
  policy: Pick<Policy, 'confidence' | 'maskExam'>,
  size: Size,
): Settled | null {
  const outcome = outcomeOf(answers, policy.maskExam.minMeanIou, size);
  return outcome && { ...outcome, isSure: outcome.confidence >= policy.confidence };
}

function outcomeOf(answers: readonly WeighedAnswer[], bar: number, size: Size): Outcome | null {
  switch (answers[0]?.value.kind) {
    case undefined:
      return null;
    case 'attributes':
      return settleAttributes(answers);
    case 'class':
      return settleClass(answers);
    default:
      return settleMask(answers, bar, size);
  }
}

/** Whether another worker is asked: fewer answers than wanted, or unsure and not yet at the most. */
export function wantsAnother(
  answers: number,
  isSure: boolean,
  policy: Pick<Policy, 'overlap' | 'maxOverlap'>,
): boolean {
  return answers < policy.overlap || (!isSure && answers < policy.maxOverlap);
}
