import { betaQuantile } from './distributions';
import type { HistoryCheck } from './history';
import { meanWithInterval, type Share, wilson } from './interval';
import { addHits, type Hits } from './score';
import { hitsByAttribute, hitsIn } from './score-check';
import { type BetaPrior, flatPrior } from './sequential';

export type Trust = {
  /** Checks behind it. */
  n: number;
  /** The pass rate by the Beta posterior: its mean and 95 % interval. */
  passRate: Share;
  precision: Share | null;
  recall: Share | null;
  /** Plain IoU. */
  iou: Share | null;
};

type Scored = Pick<HistoryCheck, 'target' | 'passed' | 'score'>;

/** How far a worker can be trusted, in all and by attribute or part. */
export function trustOf(
  checks: readonly Scored[],
  prior: BetaPrior = flatPrior,
): { all: Trust; byTarget: Record<string, Trust> } {
  const targets = new Set(checks.flatMap((check) => (check.target ? [check.target] : [])));
  const attributes = new Set(checks.flatMap((check) => [...hitsByAttribute(check.score).keys()]));
  const byPart = [...targets].map((target) => [
    target,
    trustIn(
      checks.filter((check) => check.target === target),
      prior,
    ),
  ]);
  const byAttribute = [...attributes].map((id) => [id, trustInAttribute(id, checks, prior)]);
  return { all: trustIn(checks, prior), byTarget: Object.fromEntries([...byPart, ...byAttribute]) };
}

function trustIn(checks: readonly Scored[], prior: BetaPrior): Trust {
  const hits = checks.flatMap((check) => hitsIn(check.score) ?? []);
  const passed = checks.filter((check) => check.passed).length;
  return {
    n: checks.length,
    passRate: passRate(passed, checks.length, prior),
    ...sharesOf(hits.length > 0 ? addHits(hits) : null),
    iou: clamped(meanWithInterval(checks.flatMap(({ score }) => score.iou ?? []))),
  };
}

/** Of an attribute only the checks count in which it was there or was marked: it is absent from most. */
function trustInAttribute(id: string, checks: readonly Scored[], prior: BetaPrior): Trust {
  const each = checks.flatMap((check) => hitsByAttribute(check.score).get(id) ?? []);
  const hits = addHits(each);
  return {
    n: each.length,
    passRate: passRate(hits.truePositives, each.length, prior),
    ...sharesOf(hits),
    iou: null,
  };
}

function passRate(passed: number, n: number, prior: BetaPrior): Share {
  const [a, b] = [prior.a + passed, prior.b + n - passed];
  return { value: a / (a + b), n, low: betaQuantile(0.025, a, b), high: betaQuantile(0.975, a, b) };
}

function sharesOf(hits: Hits | null): Pick<Trust, 'precision' | 'recall'> {
  if (!hits) return { precision: null, recall: null };
  const { truePositives, falsePositives, falseNegatives } = hits;
  return {
    precision: wilson(truePositives, truePositives + falsePositives),
    recall: wilson(truePositives, truePositives + falseNegatives),
  };
}

const clamped = (share: Share | null): Share | null =>
  share && { ...share, low: Math.max(0, share.low), high: Math.min(1, share.high) };
