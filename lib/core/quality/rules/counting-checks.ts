import type { HistoryCheck } from '../history';

/** A failed check within this of what trusted people reach on the same item is the item's fault. */
const AS_GOOD_AS_TRUSTED = 0.05;

/** The checks that say something about the worker: a hard item that trusted people fail as well does not. */
export function countingChecks(checks: readonly HistoryCheck[]): HistoryCheck[] {
  return checks.filter(({ passed, expected, score }) => {
    if (passed || expected === null) return true;
    return (score.level ?? 0) < expected - AS_GOOD_AS_TRUSTED;
  });
}
