import type { PoolTimes } from './history';
import { middle } from './middle';

/** Of fewer answers a fifth percentile is a guess. */
const FEWEST = 40;
/** Turns the median deviation of a normal distribution into its standard deviation. */
const MAD = 1.4826;
/** 5 % point of the normal distribution. */
const Z5 = -1.6449;

/**
 * How long everybody takes: times are log-normal, and the fifth percentile follows from median and median
 * deviation of their logarithms, so that up to a quarter of careless people do not make carelessness usual.
 */
export function poolTimes(activeMs: readonly number[]): PoolTimes | null {
  const logs = activeMs.filter((ms) => ms > 0).map(Math.log);
  const centre = middle(logs);
  if (centre === null || logs.length < FEWEST) return null;
  const deviation = middle(logs.map((log) => Math.abs(log - centre))) ?? 0;
  return { medianMs: Math.exp(centre), fifthMs: Math.exp(centre + Z5 * MAD * deviation) };
}
