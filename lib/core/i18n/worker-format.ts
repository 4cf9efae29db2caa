import { directionOf } from './locales';

export interface Reader {
  /** Of numbers and dates. */
  locale: string;
  timeZone: string;
  now: Date;
}

type Moment = Date | string | number;

const HOUR_S = 3600;
const DAY_S = 86_400;
const spans = [
  { unit: 'day', seconds: DAY_S },
  { unit: 'hour', seconds: HOUR_S },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;

/** Millionths as a decimal number, exactly. */
export function decimalOf(micro: bigint): `${number}` {
  const digits = String(micro < 0n ? -micro : micro).padStart(7, '0');
  return `${micro < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}` as `${number}`;
}

/** Millionths per hour; null when no time is known. */
export const hourlyRate = (micro: bigint, ms: number): bigint | null =>
  ms > 0 ? (micro * BigInt(HOUR_S * 1000)) / BigInt(Math.round(ms)) : null;

/** Rounds a duration to what an estimate can promise: whole minutes, from one minute on. */
export const roundedMs = (ms: number): number =>
  ms < 60_000 ? Math.max(5000, Math.round(ms / 5000) * 5000) : Math.round(ms / 60_000) * 60_000;

/** Numbers, money and times as one worker reads them: in the format of their locale and in their time zone. */
export function workerFormat({ locale, timeZone, now }: Reader) {
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const list = new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' });
  return {
    number: (value: number) => new Intl.NumberFormat(locale).format(value),
    percent: (share: number) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share),
    money: (micro: bigint, currency: string) =>
      isolated(moneyFormat(locale, currency).format(decimalOf(micro)), locale),
    dateTime: (moment: Moment) => dateTime.format(new Date(moment)),
    date: (moment: Moment) => date.format(new Date(moment)),
    /** "in 3 hours", "yesterday". */
    relative(moment: Moment): string {
      const seconds = (new Date(moment).getTime() - now.getTime()) / 1000;
      const span = spans.find((each) => Math.abs(seconds) >= each.seconds) ?? spans[3];
      return relative.format(Math.round(seconds / span.seconds), span.unit);
    },
    /** The two largest units: "1 hr, 6 min". */
    duration(ms: number): string {
      let rest = Math.max(0, Math.round(ms / 1000));
      const first = spans.findIndex((each) => rest >= each.seconds);
      if (first === -1) return unitFormat(locale, 'second').format(0);
      const parts = spans.slice(first, first + 2).flatMap(({ unit, seconds }) => {
        const count = Math.floor(rest / seconds);
        rest -= count * seconds;
        return count > 0 ? [unitFormat(locale, unit).format(count)] : [];
      });
      return list.format(parts);
    },
  };
}

export type WorkerFormat = ReturnType<typeof workerFormat>;

function moneyFormat(locale: string, currency: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency });
  } catch {
    // A currency is any three letters of a policy.
    return new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  }
}

/**
 * In text that runs from right to left, "10.03 US$" would read as "$US 10.03": the amount gets a direction of its own
 * (U+2066 to U+2069), without the marks (U+200F) that Intl puts into it.
 */
const isolated = (text: string, locale: string): string =>
  directionOf(locale) === 'rtl' ? `\u2066${text.replaceAll('\u200f', '')}\u2069` : text;

const unitFormat = (locale: string, unit: string) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' });
