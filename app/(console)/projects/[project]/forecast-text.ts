import { formatDate, formatNumber } from '@/lib/core/format';
import type { Forecast } from '@/lib/services/curation/overview/forecast';

const DAY = 86_400_000;
/** A forecast beyond this says only that it will take long. */
const FAR = 3650;

export interface ForecastText {
  /** The day on which it is done, or in short words why there is none. */
  done: string;
  /** Without the year, for it stands beside the day. */
  between?: string;
  /** "12 d", and between which numbers of days that lies. */
  span: string;
  spanBetween?: string;
  /** Answers a day. */
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
