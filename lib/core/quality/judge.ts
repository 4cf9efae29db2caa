import { countingWork, type HistoryAction, pausedTargets, type WorkerHistory, withAction } from './history';
import { nextStep } from './next-step';
import { findRule, ladder, type RuleSetting, rules, type Verdict } from './rules';

type Judgement = {
  verdict: Verdict;
  /** The part or attribute that it is about; null for the whole stage. */
  target: string | null;
  rule: string;
  ruleVersion: number;
  /** Shown to the worker. */
  reason: string;
  evidence: string[];
};

/** What the verdict means for the worker. It follows the reason. */
const meaning: Record<Verdict, string> = {
  hint: 'Nothing changes for now. Please read the guide again.',
  refresher:
    'Before your next batch you get a few practice items that show the right answers. They are paid.',
  pause:
    'Your work in this stage is paused until a person has looked at it. All your work is paid, and you can object.',
  end: 'Your work in this stage has ended. All your work is paid, and you can object.',
};

const meaningForTarget = (verdict: Verdict, target: string): string =>
  verdict === 'pause'
    ? `You do not get "${target}" any more; all other work goes on. All your work is paid, and you can object.`
    : `Before your next batch you get a few practice items about "${target}". They are paid.`;

/**
 * What to do about a worker now; null for nothing. This is the only place that decides: after each batch in production,
 * in a dry run and in simulations. Of several steps the farthest is taken, those about the whole stage before those
 * about a part. The order of the settings makes no difference.
 */
export function judge(history: WorkerHistory, settings: readonly RuleSetting[]): Judgement | null {
  if (history.state !== 'active') return null;
  const current = countingWork(history);
  const judgements = inRegistryOrder(settings).flatMap((setting) => judgeBy(history, current, setting));
  return judgements.reduce<Judgement | null>(
    (most, each) => (most === null || weight(each) > weight(most) ? each : most),
    null,
  );
}

const weight = ({ verdict, target }: Judgement): number =>
  ladder.indexOf(verdict) + (target === null ? 0.5 : 0);

const inRegistryOrder = (settings: readonly RuleSetting[]): RuleSetting[] => {
  const place = ({ id }: RuleSetting) => rules.findIndex((rule) => rule.id === id);
  return [...settings].sort((a, b) => place(a) - place(b));
};

/** Rules see the work that counts, the ladder all of it. */
function judgeBy(history: WorkerHistory, current: WorkerHistory, { id, params }: RuleSetting): Judgement[] {
  const rule = findRule(id);
  if (!rule) throw new Error(`There is no rule "${id}".`);
  return rule.judgeEach(current, params).flatMap((finding) => {
    const verdict = nextStep(history, finding, rule);
    if (!verdict) return [];
    const target = finding.target ?? null;
    const what = target === null ? meaning[verdict] : meaningForTarget(verdict, target);
    const reason = `${finding.reason} ${what}`;
    return [
      { verdict, target, rule: rule.id, ruleVersion: rule.version, reason, evidence: finding.evidence },
    ];
  });
}

type DryStep = { at: Date; answersDone: number; checksDone: number; judgement: Judgement };

export type DryRun<History extends WorkerHistory> = {
  history: History;
  steps: DryStep[];
  /** The steps as the ladder sees them, with every refresher finished. */
  actions: readonly HistoryAction[];
  /** The step that would have paused or ended the worker; what was done after it would not have been. */
  stop: DryStep | null;
  /** Parts that the worker would no longer have received. */
  pausedTargets: string[];
  /** Answers that would not have been taken. */
  answersAfterStop: number;
};

/** Rules look when a batch is closed; where the ends of batches are not known, after as many answers as RIVAL10's have. */
const EVALUATE_EVERY = 20;

/** What the rules would have done about each worker and when, as if nothing had been decided so far. */
export function dryRun<History extends WorkerHistory>(
  histories: readonly History[],
  rules: readonly RuleSetting[],
): DryRun<History>[] {
  return histories.map((history) => {
    const { steps, actions } = stepsOf(history, rules);
    const stop = steps.find(({ judgement }) => isStop(judgement)) ?? null;
    const answersAfterStop = history.answers.filter(({ at, target }) =>
      steps.some(
        ({ at: decidedAt, judgement }) =>
          at > decidedAt &&
          (isStop(judgement) || (judgement.verdict === 'pause' && judgement.target === target)),
      ),
    ).length;
    return { history, steps, actions, stop, pausedTargets: pausedTargets(actions), answersAfterStop };
  });
}

/** Whether a worker stops working in the stage. A pause for one part is none. */
export const isStop = ({ verdict, target }: Pick<Judgement, 'verdict' | 'target'>): boolean =>
  target === null && (verdict === 'pause' || verdict === 'end');

function stepsOf(
  history: WorkerHistory,
  rules: readonly RuleSetting[],
): { steps: DryStep[]; actions: readonly HistoryAction[] } {
  const steps: DryStep[] = [];
  let decided: WorkerHistory = { ...history, actions: [], since: firstMoment(history), state: 'active' };
  for (const at of evaluationTimes(history)) {
    const known = upTo(history, at);
    const { actions, since, state } = decided;
    const step = judgeBatch({ ...known, actions, since, state }, rules, at);
    if (!step) continue;
    const { judgement } = step;
    steps.push({ at, answersDone: known.answers.length, checksDone: known.checks.length, judgement });
    decided = step.after;
    if (isStop(judgement)) break;
  }
  return { steps, actions: decided.actions };
}

/**
 * Judges a worker at the end of a batch and returns the history after it; null where nothing is decided. A dry run and
 * the simulator live through a history by this function.
 */
export function judgeBatch(
  history: WorkerHistory,
  settings: readonly RuleSetting[],
  at: Date,
): { judgement: Judgement; after: WorkerHistory } | null {
  const judgement = judge(history, settings);
  return judgement && { judgement, after: afterJudgement(history, judgement, at) };
}

/** The history after a judgement of the rules. Everybody finishes a refresher before the next batch. */
export function afterJudgement(history: WorkerHistory, judgement: Judgement, at: Date): WorkerHistory {
  const { verdict, target } = judgement;
  const after = withAction(history, { decisionId: '', verdict, target, at });
  return verdict === 'refresher'
    ? withAction(after, { decisionId: '', verdict: 'refreshed', target, at })
    : after;
}

const firstMoment = ({ answers, checks, since }: WorkerHistory): Date =>
  [answers[0]?.at ?? since, checks[0]?.at ?? since, since].reduce((a, b) => (a < b ? a : b));

/** At the end of every batch, or after every twentieth answer; and at the end. */
function evaluationTimes({ answers, checks, batchEnds }: WorkerHistory): Date[] {
  const closings = batchEnds ?? answers.filter((_, i) => (i + 1) % EVALUATE_EVERY === 0).map(({ at }) => at);
  const ends = [answers, checks].flatMap((list) => list.at(-1)?.at ?? []);
  const last = Math.max(...ends.map((at) => at.getTime()), 0);
  return [...closings.filter((at) => at.getTime() < last), ...(ends.length > 0 ? [new Date(last)] : [])];
}

function upTo(history: WorkerHistory, moment: Date): WorkerHistory {
  const isKnown = ({ at }: { at: Date }) => at <= moment;
  return { ...history, answers: history.answers.filter(isKnown), checks: history.checks.filter(isKnown) };
}
