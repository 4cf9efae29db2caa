/**
 * How values read everywhere: pages, charts, exports of tables, the command line. The point is the decimal
 * mark, a narrow no-break space groups thousands, a dash stands for "no value"; the reader's locale
 * plays no part, so that a number on the screen can be found again in a file.
 */

export const noValue = '–';
const thinSpace = '\u202f';
const minus = '\u2212';

const isNumber = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** 1234567.891 with 2 digits → "1 234 567.89". */
export function formatNumber(value: number | null | undefined, digits = 0): string {
  if (!isNumber(value)) return noValue;
  const [whole = '0', fraction] = Math.abs(value).toFixed(digits).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, thinSpace) : whole;
  const text = fraction ? `${grouped}.${fraction}` : grouped;
  return value < 0 && Number(value.toFixed(digits)) !== 0 ? minus + text : text;
}

/** At most `digits` significant digits and no trailing zeros, for axes: 0.1, 25, 1 200. */
export function formatShort(value: number | null | undefined, digits = 4): string {
  if (!isNumber(value)) return noValue;
  const rounded = Number(value.toPrecision(digits));
  const decimals = (String(rounded).split('.')[1] ?? '').length;
  return formatNumber(rounded, Math.min(decimals, 6));
}

/** 0.8731 → "87.3 %". */
export function formatPercent(share: number | null | undefined, digits = 1): string {
  return isNumber(share) ? `${formatNumber(share * 100, digits)}${thinSpace}%` : noValue;
}

export type Interval = readonly [low: number, high: number];

/** A share with its interval: "87.3 % (84.1–90.0)". */
export function formatPercentInterval(
  share: number | null | undefined,
  interval?: Interval,
  digits = 1,
): string {
  if (!isNumber(share) || !interval) return formatPercent(share, digits);
  const [low, high] = interval;
  return `${formatPercent(share, digits)} (${formatNumber(low * 100, digits)}–${formatNumber(high * 100, digits)})`;
}

/** "+3.2" or "−0.4": a difference always shows its sign. */
export function formatDifference(value: number | null | undefined, digits = 1): string {
  if (!isNumber(value)) return noValue;
  return value > 0 && Number(value.toFixed(digits)) !== 0
    ? `+${formatNumber(value, digits)}`
    : formatNumber(value, digits);
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Decimal units, as disks are sold and browsers report: 1 500 000 → "1.5 MB". */
export function formatBytes(bytes: number | null | undefined): string {
  if (!isNumber(bytes)) return noValue;
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${formatNumber(value, digits)}${thinSpace}${byteUnits[unit]}`;
}

const spans = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3600 },
  { unit: 'min', seconds: 60 },
  { unit: 's', seconds: 1 },
];

/** The two largest units: 4000 s → "1 h 6 min"; below a second, milliseconds. */
export function formatDuration(seconds: number | null | undefined): string {
  if (!isNumber(seconds) || seconds < 0) return noValue;
  if (seconds > 0 && seconds < 0.9995) return `${Math.max(1, Math.round(seconds * 1000))}${thinSpace}ms`;
  let rest = Math.round(seconds);
  const first = spans.findIndex((span) => rest >= span.seconds);
  if (first === -1) return `0${thinSpace}s`;
  const parts = spans.slice(first, first + 2).flatMap(({ unit, seconds: size }) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count ? [`${count}${thinSpace}${unit}`] : [];
  });
  return parts.join(' ');
}

/** For what takes long: 3,300,000 s → "38 days"; below a day as `formatDuration`. */
export function formatDays(seconds: number): string {
  const days = seconds / 86_400;
  return days < 1 ? formatDuration(seconds) : formatCount(Math.round(days), 'day');
}

type Moment = Date | string | number | null | undefined;

function toDate(moment: Moment): Date | null {
  if (moment === null || moment === undefined) return null;
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** "2026-11-16" in UTC. */
export const formatDate = (moment: Moment) => toDate(moment)?.toISOString().slice(0, 10) ?? noValue;

/** "2026-11-16 02:35" in UTC; the zone is stated where the column or page says so. */
export const formatDateTime = (moment: Moment) =>
  toDate(moment)?.toISOString().slice(0, 16).replace('T', ' ') ?? noValue;

/** "3 min ago", "in 2 d": one unit, because a glance is what it is for. */
export function formatAge(moment: Moment, now: Date): string {
  const date = toDate(moment);
  if (!date) return noValue;
  const seconds = (now.getTime() - date.getTime()) / 1000;
  const span = spans.find((each) => Math.abs(seconds) >= each.seconds);
  if (!span || Math.abs(seconds) < 5) return 'now';
  const text = `${Math.floor(Math.abs(seconds) / span.seconds)}${thinSpace}${span.unit}`;
  return seconds > 0 ? `${text} ago` : `in ${text}`;
}

/** "1 image", "1 200 images". */
export const formatCount = (count: number, one: string, many = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** Seconds until done at the rate so far; null while there is too little to tell, and when only what is not counted is left. */
export function secondsLeft(done: number, total: number | null, startedAt: Moment, now: Date): number | null {
  const start = toDate(startedAt);
  if (!start || !total || done <= 0 || done >= total) return null;
  const elapsed = (now.getTime() - start.getTime()) / 1000;
  return elapsed < 2 ? null : (elapsed / done) * (total - done);
}

/** Millionths of a currency: 12340000n, "USD" → "12.34 USD". */
export function formatMoney(micro: bigint, currency: string): string {
  const cents = (micro < 0n ? -micro : micro) + 5000n;
  const whole = Number(cents / 1_000_000n);
  const rest = String((cents % 1_000_000n) / 10_000n).padStart(2, '0');
  return `${micro < 0n ? minus : ''}${formatNumber(whole)}.${rest}${thinSpace}${currency}`;
}
