import { countingWork, type WorkerHistory } from './history';
import { nextStep } from './next-step';
import { findRule, ladder, type RuleSetting, rules, type Verdict } from './rules';

export type Judgement = {
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
