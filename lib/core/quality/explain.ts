import { type Evidence, measureEvidence, type SequentialTest, wealthPath } from './evidence';
import { countingWork, type WorkerHistory } from './history';
import { nextStep } from './next-step';
import { type RuleSetting, rules, type Verdict } from './rules';

/** The evidence of one test against a worker, and what comes next. */
export type Explained = Evidence & {
  rule: string;
  title: string;
  isInForce: boolean;
  /** What happens when the evidence reaches the limit; null where nothing would. */
  atLimit: Verdict | null;
  /** Failed images in a row that would take the evidence to the limit; null for more than 50. */
  failuresToLimit: number | null;
};

const MAX_FAILURES = 50;

/** What every sequential test knows about a worker, those of rules that are switched off included. */
export function explainEvidence(history: WorkerHistory, settings: readonly RuleSetting[]): Explained[] {
  const current = countingWork(history);
  return rules.flatMap((rule) => {
    const setting = settings.find(({ id }) => id === rule.id);
    return rule.tests(current, setting?.params ?? {}).map((test) => ({
      ...measureEvidence(test),
      rule: rule.id,
      title: rule.title,
      isInForce: setting !== undefined,
      atLimit: stepAtLimit(history, test, rule),
      failuresToLimit: failuresToLimit(test),
    }));
  });
}

/** The step of the ladder for strong evidence of new failures. */
function stepAtLimit(
  history: WorkerHistory,
  test: SequentialTest,
  rule: (typeof rules)[number],
): Verdict | null {
  const ids = ['next', 'after next'];
  const at = new Date(Math.max(0, ...history.actions.map((each) => each.at.getTime())) + 1);
  const next = ids.map((id) => ({ ...nextCheck, id, imageId: id, target: test.target ?? '', at }));
  const finding = {
    isStrong: true,
    reason: '',
    evidence: ids,
    ...(test.target !== null && {
      target: test.target,
      canPauseTarget: history.checks.some((c) => c.target !== ''),
    }),
  };
  return nextStep({ ...history, checks: [...history.checks, ...next] }, finding, rule);
}

const nextCheck = { goldId: '', passed: false, score: {}, expected: null, model: null };

function failuresToLimit({ sequences, good, error }: SequentialTest): number | null {
  for (let failures = 0; failures <= MAX_FAILURES; failures++) {
    const after = sequences.map(
      (sequence) => wealthPath([...sequence, ...Array<number>(failures).fill(0)], good).at(-1) ?? 1,
    );
    if (after.length > 0 && Math.min(...after) >= 1 / error) return failures;
  }
  return null;
}
