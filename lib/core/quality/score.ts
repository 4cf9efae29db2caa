/** Counts behind precision and recall; sums over items before dividing, as RIVAL10's exam does. */
export type Hits = { truePositives: number; falsePositives: number; falseNegatives: number };

export function countHits(marked: Iterable<string>, truth: Iterable<string>): Hits {
  const given = new Set(marked);
  const right = new Set(truth);
  const truePositives = [...given].filter((id) => right.has(id)).length;
  return {
    truePositives,
    falsePositives: given.size - truePositives,
    falseNegatives: right.size - truePositives,
  };
}

export function addHits(list: readonly Hits[]): Hits {
  return list.reduce(
    (sum, hits) => ({
      truePositives: sum.truePositives + hits.truePositives,
      falsePositives: sum.falsePositives + hits.falsePositives,
      falseNegatives: sum.falseNegatives + hits.falseNegatives,
    }),
    { truePositives: 0, falsePositives: 0, falseNegatives: 0 },
  );
}

/** Share of what was marked that is right; null (undefined) when nothing was marked. */
export function precision(hits: Hits): number | null {
  const marked = hits.truePositives + hits.falsePositives;
  return marked === 0 ? null : hits.truePositives / marked;
}

/** Share of what is there that was marked; null (undefined) when nothing is there to mark. */
export function recall(hits: Hits): number | null {
  const there = hits.truePositives + hits.falseNegatives;
  return there === 0 ? null : hits.truePositives / there;
}

/** Whether a score reaches a bar. An undefined score has made no error, so it does. */
export const isAtLeast = (score: number | null, bar: number): boolean =>
  score === null || score >= bar - 1e-9;

/** The median; null of nothing. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
