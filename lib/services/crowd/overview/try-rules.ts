import { statedError } from '@/lib/core/quality/interval';
import { type DryRun, dryRun } from '@/lib/core/quality/judge';
import type { RuleSetting } from '@/lib/core/quality/rules';
import { betaBelow } from '@/lib/core/quality/sequential';
import { drawsMasks, payFor } from '../work/pay-for';
import type { CrowdStage } from './crowd-stages';
import type { NamedHistory } from './stage-histories';

/** Half way between the pass rates of a good and of a bad worker, 0.9 and 0.6. */
const GOOD_ENOUGH = 0.75;

export interface Tried {
  run: DryRun<NamedHistory>;
  /** Answers since the last passed check before the stop: what would be asked again. */
  askedAgain: number;
  costMicro: bigint;
  /** The chance, from all checks there are, that a stopped worker is a good one; null for the others. */
  wasGood: number | null;
}

export interface Trial {
  workers: number;
  tried: Tried[];
  hinted: number;
  refreshed: number;
  stopped: number;
  notTaken: number;
  askedAgain: number;
  costMicro: bigint;
  /** How many of the stopped are to be expected good ones. */
  falseStops: number;
  /** People who would have had practice on one part, and who would have been paused for one. */
  retrained: number;
  pausedForPart: number;
  /** Of 1,000 careers of good workers, those that the sequential tests stop at most. */
  falseStopsPerThousand: number | null;
}

/** What rules would have done with everybody so far, and what it would have cost. */
export function tryRules(
  histories: readonly NamedHistory[],
  stages: readonly CrowdStage[],
  rules: readonly RuleSetting[],
): Trial {
  const runs = dryRun(histories, rules).filter((run) => run.steps.length > 0);
  const tried = runs.map((run) => weigh(run, stages));
  const sum = (of: (each: Tried) => number) => tried.reduce((total, each) => total + of(each), 0);
  const people = (list: Tried[]) => new Set(list.map(({ run }) => run.history.workerId)).size;
  const took = (verdict: string) =>
    people(
      tried.filter(({ run }) =>
        run.steps.some(({ judgement }) => judgement.verdict === verdict && judgement.target === null),
      ),
    );
  return {
    workers: new Set(histories.map((history) => history.workerId)).size,
    tried,
    hinted: took('hint'),
    refreshed: took('refresher'),
    stopped: people(tried.filter(({ run }) => run.stop)),
    notTaken: sum(({ run }) => run.answersAfterStop),
    askedAgain: sum((each) => each.askedAgain),
    costMicro: tried.reduce((total, each) => total + each.costMicro, 0n),
    falseStops: sum((each) => each.wasGood ?? 0),
    retrained: people(
      tried.filter(({ run }) => run.steps.some(({ judgement }) => judgement.target !== null)),
    ),
    pausedForPart: people(tried.filter(({ run }) => run.pausedTargets.length > 0)),
    falseStopsPerThousand: perThousand(statedError(rules)),
  };
}

const perThousand = (share: number | null) => (share === null ? null : 1000 * share);

function weigh(run: DryRun<NamedHistory>, stages: readonly CrowdStage[]): Tried {
  const { history, stop } = run;
  if (!stop) return { run, askedAgain: 0, costMicro: 0n, wasGood: null };
  const lastGood = history.checks.findLast((check) => check.passed && check.at <= stop.at)?.at;
  const askedAgain = history.answers.filter(
    (answer) => answer.at <= stop.at && (!lastGood || answer.at > lastGood),
  ).length;
  const stage = stages.find((each) => each.id === history.stageId);
  const passed = history.checks.filter((check) => check.passed).length;
  return {
    run,
    askedAgain,
    costMicro: stage ? priceOf(stage, askedAgain) : 0n,
    wasGood: 1 - betaBelow(passed, history.checks.length - passed, GOOD_ENOUGH),
  };
}

/** What asking this many items again costs. */
export function priceOf({ kind, policy }: Pick<CrowdStage, 'kind' | 'policy'>, items: number): bigint {
  const size = drawsMasks(kind) ? policy.batchSize.masks : policy.batchSize.attributes;
  return payFor(policy, { stageKind: kind, kind: 'work', answered: items, size });
}
