/** Agreement beyond chance (Cohen 1960); null where chance alone agrees always. */
export const kappaOf = (observed: number, expected: number): number | null =>
  expected >= 1 ? null : (observed - expected) / (1 - expected);

/** Of two judges who answered the same questions. Null without questions. */
export function kappa<T>(first: readonly T[], second: readonly T[]): number | null {
  const n = first.length;
  if (n === 0) return null;
  const counts = new Map<T, [number, number]>();
  const count = (answer: T, judge: 0 | 1) => {
    const pair = counts.get(answer) ?? [0, 0];
    pair[judge] += 1;
    counts.set(answer, pair);
  };
  for (const answer of first) count(answer, 0);
  for (const answer of second) count(answer, 1);
  const observed = first.filter((answer, i) => answer === second[i]).length / n;
  const expected = [...counts.values()].reduce((sum, [a, b]) => sum + a * b, 0) / (n * n);
  return kappaOf(observed, expected);
}
