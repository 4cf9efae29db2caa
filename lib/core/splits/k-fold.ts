import type { Assignment, Member, Tie } from './member';
import { splitStratified } from './stratified';

/** Names of folds sort as their numbers do. */
export const foldName = (index: number, count: number): string =>
  `fold-${String(index + 1).padStart(String(count).length, '0')}`;

/** Stratified folds of equal size; each is the test of the run that trains on the others. */
export function splitIntoFolds(
  members: readonly Member[],
  ties: readonly Tie[],
  { seed, folds }: { seed: string; folds: number },
): Assignment {
  const shares = Object.fromEntries(Array.from({ length: folds }, (_, i) => [foldName(i, folds), 1]));
  return splitStratified(members, ties, { seed, shares });
}
