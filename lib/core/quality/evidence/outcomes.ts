import { groupBy } from '../group-by';
import type { HistoryCheck, WorkerHistory } from '../history';

/** The checks on one gold image. They count as one outcome, because the answers about one image depend on each other. */
export type ImageChecks = { at: Date; checks: readonly HistoryCheck[] };

/** Groups checks by image, in the order of their first check. The order of the input makes no difference. */
export function groupByImage(checks: readonly HistoryCheck[]): ImageChecks[] {
  const inOrder = [...checks].sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
  return [...groupBy(inOrder, ({ imageId }) => imageId).values()].map((own) => ({
    at: own.at(-1)?.at ?? new Date(0),
    checks: own,
  }));
}

/** Outcomes of a test about the whole stage. */
export type Outcomes = {
  moments: readonly Date[];
  /** One sequence, or one for each part that is left out. The evidence is the smallest of them. */
  sequences: readonly (readonly (number | null)[])[];
};

/**
 * One outcome per image: the mean of `valueIn` over its checks. Where a stage asks about several parts, each is left out
 * once, so that somebody who misunderstands a single part is not judged by it here; that is what `target-checks` is for.
 */
export function stageOutcomes(
  history: Pick<WorkerHistory, 'targetCount'>,
  checks: readonly HistoryCheck[],
  valueIn: (check: HistoryCheck) => number | null,
): Outcomes {
  const images = groupByImage(checks);
  const targets = new Set(checks.map(({ target }) => target));
  const hasParts = history.targetCount > 1 && [...targets].some((target) => target !== '');
  const outcomesWithout = (leftOut: string | null) =>
    images.map(({ checks: own }) =>
      mean(own.flatMap((c) => (c.target === leftOut ? [] : (valueIn(c) ?? [])))),
    );
  return {
    moments: images.map(({ at }) => at),
    sequences: hasParts ? [...targets].map(outcomesWithout) : [outcomesWithout(null)],
  };
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
