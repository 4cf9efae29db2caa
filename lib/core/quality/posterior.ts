import type { Policy } from './policy';
import { settleAttributes } from './posterior/attributes';
import { settleClass } from './posterior/class';
import { noPrior, type Outcome, type StagePrior, type WeighedAnswer } from './posterior/explanation';
import { settleMask } from './posterior/mask';

export {
  Explanation,
  explanationSentence,
  formRules,
  noPrior,
  type StagePrior,
  type WeighedAnswer,
} from './posterior/explanation';
export {
  frequenciesOf,
  type Reliability,
  type ScoredCheck,
  type StageFacts,
  type StageReliability,
  sharedErrorOf,
  stageReliability,
} from './posterior/reliability';

export type Settled = Outcome & {
  /** The least certain decision reaches the policy's confidence. */
  isSure: boolean;
};

type Size = { height: number; width: number };

/**
 * Settles an item from its answers: the weighted majority decides, and Bayes' rule gives the probability that it is right.
 * The order of the answers makes no difference. Null without answers.
 */
export function settle(
  answers: readonly WeighedAnswer[],
  policy: Pick<Policy, 'confidence' | 'maskExam'>,
  size: Size,
  prior: StagePrior = noPrior,
): Settled | null {
  const outcome = outcomeOf(inFixedOrder(answers), policy.maskExam.minMeanIou, size, prior);
  return outcome && { ...outcome, isSure: outcome.leastCertain >= policy.confidence };
}

function outcomeOf(
  answers: readonly WeighedAnswer[],
  bar: number,
  size: Size,
  prior: StagePrior,
): Outcome | null {
  switch (answers[0]?.value.kind) {
    case undefined:
      return null;
    case 'attributes':
      return settleAttributes(answers, prior);
    case 'class':
      return settleClass(answers, prior);
    default:
      return settleMask(answers, bar, size, prior);
  }
}

/** Sorts by content, then by worker, so that floating-point sums do not depend on the order of the answers. */
function inFixedOrder(answers: readonly WeighedAnswer[]): WeighedAnswer[] {
  const keyed = answers.map((answer) => {
    const { accuracy, sensitivity, specificity, placement, value, mask, workerId } = answer;
    const rates = [accuracy, sensitivity, specificity, placement];
    return { answer, key: JSON.stringify([value, mask, rates, workerId]) };
  });
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ answer }) => answer);
}

/** Whether another worker is asked: fewer answers than wanted, or not certain and still below the maximum. */
export function needsAnotherAnswer(
  answers: number,
  isSure: boolean,
  policy: Pick<Policy, 'overlap' | 'maxOverlap'>,
): boolean {
  return answers < policy.overlap || (!isSure && answers < policy.maxOverlap);
}
