import { bin, thresholdFreedmanDiaconis } from 'd3-array';
import { domainOf } from './domain';

export interface Bin {
  from: number;
  to: number;
  count: number;
}

/**
 * Equal bins with round edges. Without a count, Freedman–Diaconis chooses one (bin width 2·IQR·n^(−1/3)),
 * held between 5 and 40 so that a few outliers do not turn the picture into a comb.
 */
export function binValues(
  values: number[],
  options: { count?: number; domain?: [number, number] } = {},
): Bin[] {
  const kept = values.filter(Number.isFinite);
  if (kept.length === 0) return [];
  const domain = options.domain ?? domainOf(kept);
  const suggested = thresholdFreedmanDiaconis(kept, domain[0], domain[1]) || 10;
  const count = options.count ?? Math.min(40, Math.max(5, Math.round(suggested)));
  const bins = bin().domain(domain).thresholds(count)(kept);
  return bins.map((each) => ({ from: each.x0 ?? domain[0], to: each.x1 ?? domain[1], count: each.length }));
}
