import { formatDate, formatNumber } from '@/lib/core/format';
import type { Forecast } from '@/lib/services/curation/overview/forecast';

const DAY = 86_400_000;
/** Days. Longer forecasts are only shown as "in many years". */
const FAR = 3650;

export interface ForecastText {
  /** The day on which the work will be done, or the reason why there is no forecast. */
  done: string;
  /** Interval of the day. Without the year if it is the same. */
  between?: string;
  /** "12 d"; `spanBetween` is its interval in days. */
  span: string;
  spanBetween?: string;
  /** Answers per day. */
  pace?: string;
}

export function forecastText(forecast: Forecast, now: Date): ForecastText {
  if (forecast.kind === 'done') return { done: 'done', span: 'done' };
  if (forecast.kind === 'still') return { done: 'no answers in 7 days', span: '–' };
  const { perDay, low, high, days, soonest, latest } = forecast;
  const on = (count: number) => formatDate(now.getTime() + count * DAY);
  const round = (count: number) => formatNumber(count, count < 10 ? 1 : 0);
  const pace = `${formatNumber(perDay)} (${formatNumber(low)} to ${formatNumber(high)})`;
  if (days > FAR) return { done: 'in many years', span: 'years', pace };
  const isFar = latest === null || latest > FAR;
  return {
    done: on(days),
    between: `${on(soonest).slice(5)} to ${isFar ? 'unknown' : on(latest).slice(days > 300 ? 0 : 5)}`,
    span: `${round(days)} d`,
    spanBetween: isFar ? `at least ${round(soonest)}` : `${round(soonest)}–${round(latest)}`,
    pace,
  };
}
