import { median } from 'd3-array';
import { wilson } from '@/lib/core/quality/interval';
import { type Estimate, noEstimate } from './estimate';

/** One picture after its attacks. */
export interface AttackRow {
  isRobust: boolean;
  /** `clean`: wrong before any attack. Null: stands. */
  brokenBy: string | null;
  queries: number;
}

export interface Adversarial {
  clean: Estimate;
  /** In the order of the attacks: what was left after each. */
  after: { attack: string; accuracy: Estimate; broke: number }[];
  accuracy: Estimate;
  /** Of pictures that were right before, how many fell. */
  successRate: number | null;
  /** Over the pictures that fell to an attack. */
  medianQueries: number | null;
  /** No attack with a gradient ran: the true accuracy may be far lower, so show ≤. */
  isUpperBound: boolean;
}

/** Of the pictures that have a row; `of` counts those without one too. */
export function adversarial(
  rows: readonly AttackRow[],
  attacks: readonly { id: string; needsGradient: boolean }[],
  of = rows.length,
): Adversarial {
  const share = (count: number): Estimate => {
    const interval = wilson(count, rows.length);
    return interval
      ? { value: count / rows.length, low: interval.low, high: interval.high, n: rows.length, of }
      : noEstimate(of);
  };
  const fellTo = (id: string) => rows.filter(({ brokenBy }) => brokenBy === id);
  const right = rows.length - fellTo('clean').length;
  let left = right;
  const after = attacks.map(({ id }) => {
    const broke = fellTo(id).length;
    left -= broke;
    return { attack: id, accuracy: share(left), broke };
  });
  const queries = rows
    .filter(({ brokenBy }) => brokenBy !== null && brokenBy !== 'clean')
    .map((row) => row.queries);
  return {
    clean: share(right),
    after,
    accuracy: share(rows.filter(({ isRobust }) => isRobust).length),
    successRate: right === 0 ? null : queries.length / right,
    medianQueries: median(queries) ?? null,
    isUpperBound: !attacks.some(({ needsGradient }) => needsGradient),
  };
}
