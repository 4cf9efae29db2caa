import type { AttributeTable } from './attribute-table';
import { type Figure, figure, noFigure, rounded } from './figure';

export interface AttributePairs {
  /** Null for the whole version. */
  split: string | null;
  /** Answered forms. */
  n: number;
  /** Forms with both attributes; the diagonal says how often each was marked. */
  together: number[][];
  /** Pearson's correlation of the marks as 0 and 1 (phi). */
  correlation: Figure[][];
}

/** Pairs of the forms in one split, or in all. */
export function attributePairs(
  table: AttributeTable,
  split: { name: string; at: number } | null,
): AttributePairs {
  const together = Array.from({ length: table.attributes }, () =>
    new Array<number>(table.attributes).fill(0),
  );
  let n = 0;
  for (let row = 0; row < table.rows; row++) {
    if (split && table.splitAt(row) !== split.at) continue;
    n += 1;
    const present = table.present(row);
    for (const a of present) {
      const counts = together[a] as number[];
      for (const b of present) counts[b] = (counts[b] as number) + 1;
    }
  }
  const correlation = together.map((counts, a) => counts.map((_, b) => phi(together, n, a, b)));
  return { split: split?.name ?? null, n, together, correlation };
}

function phi(together: number[][], n: number, a: number, b: number): Figure {
  const count = (i: number, j: number) => together[i]?.[j] ?? 0;
  const [na, nb] = [count(a, a), count(b, b)];
  if (n === 0) return noFigure('No form was answered.');
  for (const marked of [na, nb]) {
    if (marked === 0) return noFigure('An attribute that is never marked varies with nothing.');
    if (marked === n) return noFigure('An attribute that is always marked varies with nothing.');
  }
  // Square roots one by one: the product of four counts of a large version is no exact number.
  const spread = Math.sqrt(na) * Math.sqrt(n - na) * Math.sqrt(nb) * Math.sqrt(n - nb);
  const value = (n * count(a, b) - na * nb) / spread;
  return figure(a === b ? 1 : rounded(Math.max(-1, Math.min(1, value))));
}

/** How often b is marked where a is. */
export function conditional({ together }: AttributePairs, a: number, b: number): { of: number; n: number } {
  return { of: together[a]?.[b] ?? 0, n: together[a]?.[a] ?? 0 };
}
