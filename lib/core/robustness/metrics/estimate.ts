/** A number with its interval, how many samples stand behind it, and of how many. */
export interface Estimate {
  /** Null where it is not defined for these samples. */
  value: number | null;
  low: number | null;
  high: number | null;
  /** Samples that count. */
  n: number;
  /** Samples that were asked: those beyond `n` were skipped or have no value. */
  of: number;
}

export const noEstimate = (of: number): Estimate => ({ value: null, low: null, high: null, n: 0, of });
