import type { StageKind } from './answer';
import { countingWork, type WorkerHistory } from './history';
import type { Policy } from './policy';
import { findRule, type RuleSetting } from './rules';

/** With fewer checks of ordinary work, the estimated accuracy says too little about a worker. */
const MIN_CHECKS = 3;

export interface WorkerEvidence {
  stageKind: StageKind;
  /** The worker's estimated accuracy in the stage: see `stageReliability`. */
  accuracy: number;
  history: WorkerHistory;
  rules: readonly RuleSetting[];
}

/** Whether a worker's answers need confirmation, and why. */
export interface Confirmation {
  isNeeded: boolean;
  accuracy: number;
  /** The policy's minimum accuracy for this kind of stage; null if accuracy is ignored. */
  minimum: number | null;
  isInaccurate: boolean;
  /** Ids of the rules about behaviour that object to recent work. */
  objections: string[];
}

/**
 * Decides whether a worker's answers need a second answer: their estimated accuracy is below the policy's minimum, or
 * a rule about behaviour objects to their work. This evidence can be too weak to stop a worker and still be reason
 * enough not to rely on a single answer. Production and simulations share this function.
 */
export function explainConfirmation(
  policy: Pick<Policy, 'confirmation'>,
  { stageKind, accuracy, history, rules }: WorkerEvidence,
): Confirmation {
  const { minFormAccuracy, minMaskAccuracy } = policy.confirmation;
  const minimum = stageKind === 'attributes' ? minFormAccuracy : minMaskAccuracy;
  if (stageKind === 'oracle' || !confirms(policy))
    return { isNeeded: false, accuracy, minimum: null, isInaccurate: false, objections: [] };
  const isInaccurate = minimum !== null && history.checks.length >= MIN_CHECKS && accuracy < minimum;
  const objections = objectionsTo(history, rules);
  return { isNeeded: isInaccurate || objections.length > 0, accuracy, minimum, isInaccurate, objections };
}

/** Whether a policy requests second answers at all. */
export const confirms = ({ confirmation }: Pick<Policy, 'confirmation'>): boolean =>
  confirmation.maxAnswers > 1 &&
  (confirmation.minFormAccuracy !== null || confirmation.minMaskAccuracy !== null);

/** Only rules that cannot stop a worker alone (they need failed checks as support), or whose error rate was measured. */
function objectionsTo(history: WorkerHistory, settings: readonly RuleSetting[]): string[] {
  const current = countingWork(history);
  return settings.flatMap(({ id, params }) => {
    const rule = findRule(id);
    const isBehaviour = rule?.errorControl === 'supported' || rule?.errorControl === 'measured';
    return isBehaviour && rule.judgeEach(current, params).length > 0 ? [id] : [];
  });
}

/**
 * Returns the maximum number of answers to an item and the confidence at which no more are requested. If the policy
 * asks for one answer per item, items with second answers use the limits of `policy.confirmation`.
 */
export function answerLimits(
  policy: Pick<Policy, 'maxOverlap' | 'confidence' | 'confirmation'>,
  answers: number,
): Pick<Policy, 'maxOverlap' | 'confidence'> {
  const { maxOverlap, confidence, confirmation } = policy;
  return answers > 1 && maxOverlap === 1 && confirms(policy)
    ? { maxOverlap: confirmation.maxAnswers, confidence: confirmation.confidence }
    : { maxOverlap, confidence };
}
