/** How a worker's score compares with the bar. Workers learn nothing else about hidden checks. */
export const scoreBands = ['high', 'close', 'low'] as const;
export type ScoreBand = (typeof scoreBands)[number];

/** Distance from the bar within which a score counts as close to it. */
const CLOSE = 0.05;

/** The band of the worst measure. A measure that is undefined (nothing marked) does not count. */
export function scoreBandOf(measures: readonly { value: number | null; bar: number }[]): ScoreBand {
  const margins = measures.flatMap(({ value, bar }) => (value === null ? [] : [value - bar]));
  if (margins.length === 0) return 'close';
  const worst = Math.min(...margins);
  if (worst >= CLOSE) return 'high';
  return worst >= -CLOSE ? 'close' : 'low';
}
