import { type Evidence, measureEvidence, type SequentialTest, wealthPath } from './evidence';
import { countingWork, type HistoryAction, pausedTargets, type WorkerHistory } from './history';
import { type Finding, ladder, type Rule, type RuleSetting, rules, type Verdict } from './rules';
import { GOOD_PASS_RATE, passTest } from './rules/failed-checks';
import { evidenceLimit, evidenceOf } from './sequential';

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

/**
 * A signal without a known error rate pauses only when the checks speak against the worker as well. A good worker under
 * such a signal is paused with this probability at most, over all stages.
 */
const SUPPORT_ERROR = 0.05;

/** Practice rounds about one attribute of a form, which cannot be left out of the form. */
const MAX_ATTRIBUTE_REFRESHERS = 2;

/** The step that a finding leads to; null when there is nothing new to do. */
export function nextStep(history: WorkerHistory, finding: Finding, rule: Rule): Verdict | null {
  return finding.target === undefined
    ? nextStageStep(history, finding, rule)
    : nextTargetStep(history, finding, finding.target);
}

/**
 * Steps are taken one at a time, and only on evidence that is younger than the last one; strong evidence leads to the
 * pause. A finished refresher is no fresh start. Only a lifted pause is: the ladder starts again, but a second pause is
 * the end.
 */
function nextStageStep(history: WorkerHistory, finding: Finding, rule: Rule): Verdict | null {
  const ofStage = history.actions.filter(({ target }) => target === null);
  if (!isNew(history, ofStage, finding)) return null;
  const actions = unforgiven(history, ofStage);
  const taken = actions.slice(actions.findLastIndex(({ verdict }) => verdict === 'resume') + 1);
  const reached = Math.max(-1, ...taken.map(({ verdict }) => rung(verdict)));
  // One answer can be a slip, so it never leads past a hint.
  if (finding.evidence.length < 2) return reached < 0 ? 'hint' : null;
  const step = finding.isStrong ? Math.max(reached + 1, rung('pause')) : reached + 1;
  if (step > rung(farthestStep(history, finding, rule))) return null;
  const isSecondPause = step === rung('pause') && actions.some(({ verdict }) => verdict === 'pause');
  return ladder[Math.min(isSecondPause ? step + 1 : step, rung(rule.atMost))] ?? null;
}

/** Weak evidence stops a worker only by a rule whose error rate is known, or with the support of checks. */
function farthestStep(history: WorkerHistory, { isStrong }: Finding, rule: Rule): Verdict {
  if (isStrong) return 'end';
  switch (rule.errorControl) {
    case 'bounded':
      return 'refresher';
    case 'supported':
      return isSupportedByChecks(history) ? 'end' : 'refresher';
    default:
      return 'end';
  }
}

function isSupportedByChecks(history: WorkerHistory): boolean {
  const { current, limit } = measureEvidence(
    passTest(countingWork(history), GOOD_PASS_RATE, SUPPORT_ERROR / history.stageCount),
  );
  return current >= limit;
}

/** Practice comes first, and a pause for the part only if work after the practice is no better. */
function nextTargetStep(history: WorkerHistory, finding: Finding, target: string): Verdict | null {
  const ofTarget = history.actions.filter((each) => each.target === target);
  if (pausedTargets(ofTarget).length > 0 || finding.evidence.length < 2) return null;
  // A fresh start in the stage is one for all its parts.
  const restarts = history.actions.filter(
    (each) => each.verdict === 'resume' && (each.target === target || each.target === null),
  );
  const restartedAt = restarts.at(-1)?.at;
  const taken = ofTarget.filter(
    ({ at, verdict }) => verdict !== 'resume' && (!restartedAt || at > restartedAt),
  );
  const practised = taken.filter(({ verdict }) => verdict === 'refresher').length;
  if (practised === 0) return 'refresher';
  if (!finding.isStrong || countNew(history, ofTarget, finding) < 2) return null;
  if (finding.canPauseTarget) return 'pause';
  return practised < MAX_ATTRIBUTE_REFRESHERS ? 'refresher' : null;
}

/** The height of a verdict; −1 for those that are no step. */
const rung = (verdict: HistoryAction['verdict']): number => (ladder as readonly string[]).indexOf(verdict);

/** Some of the evidence came after the last action; what was known then was dealt with then. */
const isNew = (history: WorkerHistory, actions: readonly HistoryAction[], finding: Finding): boolean =>
  actions.length === 0 || countNew(history, actions, finding) > 0;

function countNew(
  { answers, checks }: WorkerHistory,
  actions: readonly HistoryAction[],
  { evidence }: Finding,
): number {
  const last = actions.at(-1)?.at;
  const ids = new Set(evidence);
  return [...answers, ...checks].filter(({ id, at }) => (!last || at > last) && ids.has(id)).length;
}

/** Steps that still count: those before a run of checks that proves good work are forgiven. */
function unforgiven({ checks }: WorkerHistory, actions: readonly HistoryAction[]): readonly HistoryAction[] {
  const steps = actions.filter(({ verdict }) => verdict !== 'refreshed');
  const isForgiven = steps.map(({ at }, i) => {
    const until = steps[i + 1]?.at;
    const between = checks.filter((check) => check.at > at && (!until || check.at <= until));
    return provesGood(between.map((check) => check.passed));
  });
  return steps.slice(isForgiven.lastIndexOf(true) + 1);
}

/** Wald's lower boundary was reached on the way: with the usual numbers, eight passes in a row. */
const provesGood = (outcomes: readonly boolean[]): boolean =>
  outcomes.some((_, i) => evidenceOf(outcomes.slice(0, i + 1)) <= -evidenceLimit());
