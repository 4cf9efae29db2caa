import { wilson } from '@/lib/core/quality/interval';
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

/** Right answers of each image and how many there are, counted once: what is drawn again and again is only summed. */
export interface ImageCounts {
  classAt: Int32Array;
  right: Float64Array;
  n: Float64Array;
}

export function countImages(
  subjects: readonly Subject[],
  rowsOf: (subject: Subject) => readonly Row[],
): ImageCounts {
  const counts = {
    classAt: Int32Array.from(subjects, ({ classIndex }) => classIndex),
    right: new Float64Array(subjects.length),
    n: new Float64Array(subjects.length),
  };
  subjects.forEach((subject, i) => {
    const rows = rowsOf(subject);
    counts.n[i] = rows.length;
    counts.right[i] = rows.filter((row) => isRight(row, subject)).length;
  });
  return counts;
}

/** Mean of each class's own accuracy: large classes do not outvote small ones. */
export function macroAccuracy(
  { classAt, right, n }: ImageCounts,
  classes: number,
  times?: ArrayLike<number>,
): number | null {
  const [rights, counts] = [new Float64Array(classes), new Float64Array(classes)];
  for (let i = 0; i < n.length; i++) {
    const weight = times ? (times[i] as number) : 1;
    const at = classAt[i] as number;
    rights[at] = (rights[at] as number) + weight * (right[i] as number);
    counts[at] = (counts[at] as number) + weight * (n[i] as number);
  }
  let [sum, seen] = [0, 0];
  for (let at = 0; at < classes; at++) {
    if (counts[at] === 0) continue;
    sum += (rights[at] as number) / (counts[at] as number);
    seen += 1;
  }
  return seen === 0 ? null : sum / seen;
}
