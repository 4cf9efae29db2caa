import { wilson } from '@/lib/quality/interval';
import { type Estimate, noEstimate } from '../metrics/estimate';
import type { Row } from '../types';
import type { RowTable, Subject } from './row-table';

export const isRight = (row: Row, subject: Subject): boolean => row.predicted === subject.classIndex;

/** Share of right answers in a variant of one cell, each image once. */
export function accuracyIn(table: RowTable, variant: string, subjects: readonly Subject[]): Estimate {
  let [right, n] = [0, 0];
  for (const subject of subjects) {
    const row = table.one(variant, subject.id);
    if (!row) continue;
    n += 1;
    if (isRight(row, subject)) right += 1;
  }
  return shareOf(right, n, subjects.length);
}

export function shareOf(right: number, n: number, of: number): Estimate {
  const share = wilson(right, n);
  return share ? { value: share.value, low: share.low, high: share.high, n, of } : noEstimate(of);
}

/** Mean of each class's own accuracy: large classes do not outvote small ones. */
export function macroAccuracy(
  subjects: readonly Subject[],
  accuracyOf: (subject: Subject) => { right: number; n: number },
  times?: ArrayLike<number>,
): number | null {
  const classes = new Map<string, { right: number; n: number }>();
  subjects.forEach((subject, i) => {
    const weight = times ? (times[i] as number) : 1;
    const { right, n } = accuracyOf(subject);
    if (n === 0 || weight === 0) return;
    const sum = classes.get(subject.className) ?? { right: 0, n: 0 };
    sum.right += weight * right;
    sum.n += weight * n;
    classes.set(subject.className, sum);
  });
  if (classes.size === 0) return null;
  return [...classes.values()].reduce((sum, { right, n }) => sum + right / n, 0) / classes.size;
}
