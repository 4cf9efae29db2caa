const finite = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** Smallest and largest value; an axis needs a width even when there is one value or none. */
export function domainOf(values: Iterable<number | null | undefined>, includeZero = false): [number, number] {
  let low = includeZero ? 0 : Number.POSITIVE_INFINITY;
  let high = includeZero ? 0 : Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!finite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  if (low === high) return includeZero ? [Math.min(0, low), Math.max(low, 0) || 1] : [low - 0.5, high + 0.5];
  return [low, high];
}
