/** How two models agree on the same images. */
export interface Agreement {
  bothRight: number;
  onlyFirst: number;
  onlySecond: number;
  bothWrong: number;
  /**
   * McNemar's exact test: the chance of a split at least as uneven among the images that one model alone gets right, were
   * both equally good. 1 where there is no such image.
   */
  p: number;
}

export function agreement(pairs: Iterable<readonly [first: boolean, second: boolean]>): Agreement {
  const counts = { bothRight: 0, onlyFirst: 0, onlySecond: 0, bothWrong: 0 };
  for (const [first, second] of pairs)
    counts[first ? (second ? 'bothRight' : 'onlyFirst') : second ? 'onlySecond' : 'bothWrong'] += 1;
  return { ...counts, p: exactP(counts.onlyFirst, counts.onlySecond) };
}

/** Two-sided, of a fair coin: twice the smaller tail, at most 1. In logarithms, so that thousands do not overflow. */
function exactP(a: number, b: number): number {
  const n = a + b;
  let [term, tail] = [-n * Math.LN2, 0];
  for (let k = 0; k <= Math.min(a, b); k++) {
    if (k > 0) term += Math.log((n - k + 1) / k);
    tail += Math.exp(term);
  }
  return Math.min(1, 2 * tail);
}
