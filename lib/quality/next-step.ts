import type { HistoryAction, WorkerHistory } from './history';
import { type Finding, ladder, type Rule, type Verdict } from './rules';
import { evidenceLimit, evidenceOf } from './sequential';

/**
 * The step that a finding leads to; null when there is nothing new to say. Steps are taken one at a time, and
 * only on evidence that is younger than the last one; strong evidence goes to the pause at once. Whoever works
 * again after a pause starts at the foot of the ladder, but meets the end instead of a second pause.
 */
export function nextStep(history: WorkerHistory, finding: Finding, rule: Rule): Verdict | null {
  if (!isNew(history, finding)) return null;
  const actions = unforgiven(history);
  const taken = actions.slice(actions.findLastIndex(({ verdict }) => verdict === 'resume') + 1);
  const reached = Math.max(-1, ...taken.map(({ verdict }) => rung(verdict)));
  // One answer can be a slip, so it never leads past a hint.
  if (finding.evidence.length < 2) return reached < 0 ? 'hint' : null;
  const step = finding.isStrong ? Math.max(reached + 1, rung('pause')) : reached + 1;
  const isSecondPause = step === rung('pause') && actions.some(({ verdict }) => verdict === 'pause');
  return ladder[Math.min(isSecondPause ? step + 1 : step, rung(rule.atMost))] ?? null;
}

/** The height of a verdict; −1 for a resume, which is no step. */
const rung = (verdict: HistoryAction['verdict']): number => (ladder as readonly string[]).indexOf(verdict);

/** Some of the evidence came after the last step; what was known then was dealt with then. */
function isNew({ actions, answers, checks }: WorkerHistory, { evidence }: Finding): boolean {
  const last = actions.at(-1)?.at;
  if (!last) return true;
  const ids = new Set(evidence);
  return [...answers, ...checks].some(({ id, at }) => at > last && ids.has(id));
}

/** Steps that still count: those before a run of checks that proves good work are forgiven. */
function unforgiven({ actions, checks }: WorkerHistory): readonly HistoryAction[] {
  const isForgiven = actions.map(({ at }, i) => {
    const until = actions[i + 1]?.at;
    const between = checks.filter((check) => check.at > at && (!until || check.at <= until));
    return provesGood(between.map((check) => check.passed));
  });
  return actions.slice(isForgiven.lastIndexOf(true) + 1);
}

/** Wald's lower boundary was reached on the way: with the usual numbers, eight passes in a row. */
const provesGood = (outcomes: readonly boolean[]): boolean =>
  outcomes.some((_, i) => evidenceOf(outcomes.slice(0, i + 1)) <= -evidenceLimit());
