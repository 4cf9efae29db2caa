import { sinceFreshStart, type WorkerHistory } from './history';
import { nextStep } from './next-step';
import { findRule, ladder, type RuleSetting, type Verdict } from './rules';

export type Judgement = {
  verdict: Verdict;
  rule: string;
  ruleVersion: number;
  /** Shown to the worker. */
  reason: string;
  evidence: string[];
};

/** What the verdict means, told after the reason. */
const whatNow: Record<Verdict, string> = {
  hint: 'Nothing changes for now; please have another look at the guide.',
  refresher: 'Before the next batch there are a few practice items that show you what was right.',
  pause:
    'Your work in this stage is paused until a person has looked at it. All that you did is paid, and you can object.',
  end: 'Your work in this stage has ended. All that you did is paid, and you can object.',
};

/** What to do about a worker now: the farthest step that any rule leads to; null for none. */
export function judge(history: WorkerHistory, settings: readonly RuleSetting[]): Judgement | null {
  if (history.state !== 'active') return null;
  const current = sinceFreshStart(history);
  const judgements = settings.flatMap((setting) => judgeBy(history, current, setting) ?? []);
  return judgements.reduce<Judgement | null>(
    (most, each) => (most === null || height(each) > height(most) ? each : most),
    null,
  );
}

const height = ({ verdict }: Judgement): number => ladder.indexOf(verdict);

/** Rules see the work since the fresh start, the ladder all of it. */
function judgeBy(
  history: WorkerHistory,
  current: WorkerHistory,
  { id, params }: RuleSetting,
): Judgement | null {
  const rule = findRule(id);
  if (!rule) throw new Error(`There is no rule "${id}".`);
  const finding = rule.judge(current, params);
  const verdict = finding && nextStep(history, finding, rule);
  if (!verdict) return null;
  const reason = `${finding.reason} ${whatNow[verdict]}`;
  return { verdict, rule: rule.id, ruleVersion: rule.version, reason, evidence: finding.evidence };
}
