import { probabilityTrue } from './posterior/reliability';
import { warningOf } from './warnings';

/** One answer behind a label: how far its author can be trusted, and how far it says the same as the label. */
export type Backing = {
  /** Mean of the Beta posterior of the author's share of right answers, from `stageReliability`. */
  accuracy: number;
  /** `level` of `scoreCheck` with the label in the place of gold: size-aware for masks, 0 to 1. */
  agreement: number;
};

export type RiskEvidence = {
  /** The answers that count for the item; none for a label that was imported, generated or corrected. */
  answers: readonly Backing[];
  /** Probability that the label is right where no answer stands behind it; null if it is not known. */
  confidence: number | null;
  /** The score at which an answer counts as the same as the label: the bar of the stage's exam. */
  bar: number;
  warnings: readonly string[];
};

export type Risk = {
  /** Null if nothing is known: no answers and no confidence. */
  risk: number | null;
  /** Orders the queue: the risk; without one below all risks, from -1 to 0, by the warnings. */
  rank: number;
  agreement: number | null;
};

/** Nothing is beyond error, and nothing is certainly wrong before somebody has looked. */
const [MIN_RISK, MAX_RISK] = [0.002, 0.98];

/**
 * Log odds that one full point of agreement is worth. An answer just above the bar and a perfect match are both
 * votes for the label; this tells them apart.
 */
const AGREEMENT_WEIGHT = 3;

/**
 * The probability that a label is wrong, to put the worst first.
 *
 *     odds = odds of error by the answers × e^(3 · (bar − agreement)) × product of the odds of the warnings
 *
 * The first factor is Bayes' rule over the answers: each speaks for the label when its agreement with it reaches
 * the bar and against it otherwise, with the weight of its author's accuracy. One answer by somebody who is right
 * nine times of ten gives 1 to 9. The second is left out where nobody else has answered. Warnings are taken as
 * independent, which they are not quite: the number orders the queue, and the sampled audit measures the rate.
 * Without answers and without a confidence there is no number, only an order by the warnings.
 */
export function riskOf({ answers, confidence, bar, warnings }: RiskEvidence): Risk {
  const isUnknown = answers.length === 0 && confidence === null;
  const right =
    answers.length === 0
      ? (confidence ?? 0.5)
      : probabilityTrue(
          answers.map(({ accuracy, agreement }) => ({
            sensitivity: accuracy,
            specificity: accuracy,
            isFor: agreement >= bar,
          })),
        );
  const agreement = agreementOf(answers);
  const shift = agreement === null ? 0 : AGREEMENT_WEIGHT * (bar - agreement);
  const warned = warnings.reduce((sum, id) => sum + Math.log(warningOf(id)?.odds ?? 1), 0);
  const risk = clamp(1 / (1 + Math.exp(-(logOdds(1 - right) + shift + warned))));
  return { risk: isUnknown ? null : risk, rank: isUnknown ? risk - 1 : risk, agreement };
}

/** Mean over the others: the answer that became the label agrees with it by itself. */
function agreementOf(answers: readonly Backing[]): number | null {
  if (answers.length < 2) return null;
  const own = answers.findIndex(({ agreement }) => agreement === 1);
  const others = answers.filter((_, i) => i !== own);
  return others.reduce((sum, { agreement }) => sum + agreement, 0) / others.length;
}

const clamp = (probability: number): number => Math.min(MAX_RISK, Math.max(MIN_RISK, probability));

const logOdds = (probability: number): number => Math.log(clamp(probability) / (1 - clamp(probability)));
