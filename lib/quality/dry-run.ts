import type { HistoryAction, WorkerHistory } from './history';
import { type Judgement, judge } from './judge';
import type { RuleSetting } from './rules';

export type DryStep = { at: Date; answersDone: number; checksDone: number; judgement: Judgement };

export type DryRun<History extends WorkerHistory> = {
  history: History;
  steps: DryStep[];
  /** The step that would have paused or ended the worker; what was done after it would not have been. */
  stop: DryStep | null;
  /** Answers that would not have been taken. */
  answersAfterStop: number;
};

/** Rules look when a batch is closed; without batches, as often as one of RIVAL10's is. */
const LOOK_EVERY = 20;

/** What the rules would have done about each worker and when, as if nothing had been decided so far. */
export function dryRun<History extends WorkerHistory>(
  histories: readonly History[],
  rules: readonly RuleSetting[],
): DryRun<History>[] {
  return histories.map((history) => {
    const steps = stepsOf(history, rules);
    const stop = steps.find(({ judgement: { verdict } }) => verdict === 'pause' || verdict === 'end') ?? null;
    const answersAfterStop = stop ? history.answers.length - stop.answersDone : 0;
    return { history, steps, stop, answersAfterStop };
  });
}

function stepsOf(history: WorkerHistory, rules: readonly RuleSetting[]): DryStep[] {
  const steps: DryStep[] = [];
  const actions: HistoryAction[] = [];
  let since = firstMoment(history);
  for (const at of looks(history)) {
    const known = upTo(history, at);
    const judgement = judge({ ...known, actions, since, state: 'active' }, rules);
    if (!judgement) continue;
    const { verdict } = judgement;
    actions.push({ decisionId: '', verdict, at });
    steps.push({ at, answersDone: known.answers.length, checksDone: known.checks.length, judgement });
    if (verdict === 'pause' || verdict === 'end') break;
    // A refresher is a fresh start.
    if (verdict === 'refresher') since = new Date(at.getTime() + 1);
  }
  return steps;
}

const firstMoment = ({ answers, checks, since }: WorkerHistory): Date =>
  [answers[0]?.at ?? since, checks[0]?.at ?? since, since].reduce((a, b) => (a < b ? a : b));

/** After every twentieth answer, and at the end. */
function looks({ answers, checks }: WorkerHistory): Date[] {
  const closings = answers.filter((_, i) => (i + 1) % LOOK_EVERY === 0).map(({ at }) => at);
  const ends = [answers, checks].flatMap((list) => list.at(-1)?.at ?? []);
  const last = Math.max(...ends.map((at) => at.getTime()), 0);
  return [...closings.filter((at) => at.getTime() < last), ...(ends.length > 0 ? [new Date(last)] : [])];
}

function upTo(history: WorkerHistory, moment: Date): WorkerHistory {
  const isKnown = ({ at }: { at: Date }) => at <= moment;
  return { ...history, answers: history.answers.filter(isKnown), checks: history.checks.filter(isKnown) };
}
