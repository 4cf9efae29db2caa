import { studentQuantile } from '@/lib/core/quality/distributions';

/** Days that a forecast looks back over: a week, so that week-ends are in it. */
export const FORECAST_DAYS = 7;

export type Forecast =
  | { kind: 'done' }
  /** Nothing came in: there is no rate to go by. */
  | { kind: 'still' }
  | {
      kind: 'moving';
      /** Answers a day, with the 95 % interval. */
      perDay: number;
      low: number;
      high: number;
      /** Days until nothing is left, at that rate; the later end is null where the rate may be next to none. */
      days: number;
      soonest: number;
      latest: number | null;
    };

/**
 * When a stage is done if the next days are like the last ones. The days are taken as draws of a rate (Student's
 * interval of their mean), so that one busy day among idle ones promises little.
 */
export function forecast(left: number, perDay: readonly number[]): Forecast {
  if (left <= 0) return { kind: 'done' };
  const n = perDay.length;
  const rate = n > 0 ? perDay.reduce((sum, count) => sum + count, 0) / n : 0;
  if (rate === 0) return { kind: 'still' };
  const squares = perDay.reduce((sum, count) => sum + (count - rate) ** 2, 0);
  // Never surer than counting alone allows (Poisson), also where all days happen to be alike.
  const variance = Math.max(n > 1 ? squares / (n - 1) : 0, rate);
  const half = studentQuantile(0.975, Math.max(1, n - 1)) * Math.sqrt(variance / n);
  const [low, high] = [Math.max(0, rate - half), rate + half];
  return {
    kind: 'moving',
    perDay: rate,
    low,
    high,
    days: left / rate,
    soonest: left / high,
    latest: low > 0 ? left / low : null,
  };
}
