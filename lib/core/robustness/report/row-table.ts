import { wilson } from '@/lib/core/quality/interval';
import { type Estimate, noEstimate } from '../metrics/estimates';
import type { Reason, Row } from '../types';

/** What reports need to know of an image beside its rows. */
export interface Subject {
  id: string;
  className: string;
  classIndex: number;
  split: string;
  attributes: readonly string[] | null;
  /** Area share of the object; null without a mask. */
  objectShare: number | null;
  touchesEdge: boolean;
  confidence: number;
  /** Ids of visible parts and of parts marked as absent; null if unanswered. */
  parts?: { seen: readonly string[]; missing: readonly string[] } | null;
  /** Minimum agreement of its labels, 0 to 1; null with one answer only. */
  agreement?: number | null;
  /** Mean IoU between workers' object masks; null with fewer than two. */
  drawnIou?: number | null;
  /** Whether another image of the version looks like it, and where that one is. */
  lookalike?: 'none' | 'same split' | 'other split';
  /** Names of the saved slices that it is in. */
  slices?: readonly string[];
}

/** Rows by variant and image, cells in the order of the variant. */
export class RowTable {
  readonly #rows = new Map<string, Map<string, Row[]>>();

  constructor(
    readonly subjects: readonly Subject[],
    readonly classes: readonly string[],
    rows: Iterable<Row>,
  ) {
    for (const row of rows) {
      const ofVariant = this.#rows.get(row.variant) ?? new Map<string, Row[]>();
      this.#rows.set(row.variant, ofVariant);
      const ofSample = ofVariant.get(row.sample);
      if (ofSample) ofSample.push(row);
      else ofVariant.set(row.sample, [row]);
    }
  }

  has(variant: string): boolean {
    return this.#rows.has(variant);
  }

  /** Valid rows of an image. */
  of(variant: string, sample: string): Row[] {
    return (this.#rows.get(variant)?.get(sample) ?? []).filter(({ reason }) => reason === null);
  }

  /** The one row of a variant with one cell; null where it was skipped. */
  one(variant: string, sample: string): Row | null {
    return this.of(variant, sample)[0] ?? null;
  }

  skipped(): { variant: string; reason: Reason; count: number }[] {
    const counts = new Map<string, { variant: string; reason: Reason; count: number }>();
    for (const [variant, samples] of this.#rows)
      for (const rows of samples.values())
        for (const { reason } of rows) {
          if (reason === null) continue;
          const entry = counts.get(`${variant} ${reason}`) ?? { variant, reason, count: 0 };
          entry.count += 1;
          counts.set(`${variant} ${reason}`, entry);
        }
    return [...counts.values()].sort((a, b) => b.count - a.count || (a.variant < b.variant ? -1 : 1));
  }
}

export const isCorrect = (row: Row, subject: Subject): boolean => row.predicted === subject.classIndex;

/** Share of right answers in a variant of one cell, each image once. */
export function measureAccuracy(table: RowTable, variant: string, subjects: readonly Subject[]): Estimate {
  let [right, n] = [0, 0];
  for (const subject of subjects) {
    const row = table.one(variant, subject.id);
    if (!row) continue;
    n += 1;
    if (isCorrect(row, subject)) right += 1;
  }
  return estimateShare(right, n, subjects.length);
}

export function estimateShare(right: number, n: number, of: number): Estimate {
  const share = wilson(right, n);
  return share ? { value: share.value, low: share.low, high: share.high, n, of } : noEstimate(of);
}

/** Correct predictions and rows per image, precomputed for the bootstrap. */
interface ImageCounts {
  classAt: Int32Array;
  right: Float64Array;
  n: Float64Array;
}

export function countByImage(
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
    counts.right[i] = rows.filter((row) => isCorrect(row, subject)).length;
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
