import { bin, thresholdFreedmanDiaconis } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import {
  type SymbolType,
  symbolCircle,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';
import { formatShort } from '@/lib/core/format';

interface Tick {
  value: number;
  /** Pixels along the axis. */
  at: number;
  label: string;
}

export interface Axis {
  ticks: Tick[];
  /** Where a value lies on the axis, in pixels. */
  at: (value: number) => number;
  domain: [number, number];
}

interface AxisOptions {
  /** About how many ticks; round values decide the exact number. */
  count?: number;
  format?: (value: number) => string;
  /** The domain is given (a share is 0 to 1) and must not be widened to round values. */
  exact?: boolean;
}

export function linearAxis(
  domain: [number, number],
  range: [number, number],
  options: AxisOptions = {},
): Axis {
  const { count = 5, format = formatShort, exact = false } = options;
  const scale = scaleLinear().domain(domain).range(range);
  if (!exact) scale.nice(count);
  const [low = 0, high = 1] = scale.domain();
  const ticks = scale.ticks(count);
  const labels = trimZeros(ticks.map((value) => format(value)));
  return {
    ticks: ticks.map((value, i) => ({ value, at: scale(value), label: labels[i] as string })),
    at: (value) => scale(value),
    domain: [low, high],
  };
}

const ZEROS = /\.0+(?=\D*$)/;

/** Digits that no tick needs are left out: "20 %" and not "20.0 %", where the others are whole too. */
const trimZeros = (labels: readonly string[]): string[] =>
  labels.map((label) => (labels.every((each) => ZEROS.test(each)) ? label.replace(ZEROS, '') : label));

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

/** Inter at 11 px is about 6 px wide per character; a little more, for fonts that stand in for it. */
const characterWidth = 6.3;

export const textWidth = (text: string) => text.length * characterWidth;

/** Room for the longest label, up to a limit. */
export const labelSpace = (labels: string[], limit: number) =>
  Math.min(limit, Math.max(0, ...labels.map(textWidth)) + 8);

export function shorten(text: string, space: number): string {
  // A text that was given exactly its own width fits, whatever the last bit of the quotient says.
  const fits = Math.max(1, Math.floor(space / characterWidth + 1e-6));
  return text.length <= fits ? text : `${text.slice(0, fits - 1)}…`;
}

export type Hatch = 'solid' | 'rising' | 'dots' | 'falling' | 'level' | 'grid';

/** How a series looks. Hatch, dash and symbol differ as the colour does: each is enough on its own. */
interface SeriesStyle {
  colour: string;
  hatch: Hatch;
  dash: string | undefined;
  symbol: SymbolType;
}

const styles: SeriesStyle[] = [
  { colour: 'var(--color-series-1)', hatch: 'solid', dash: undefined, symbol: symbolCircle },
  { colour: 'var(--color-series-2)', hatch: 'rising', dash: '6 3', symbol: symbolSquare },
  { colour: 'var(--color-series-3)', hatch: 'dots', dash: '2 2', symbol: symbolTriangle },
  { colour: 'var(--color-series-4)', hatch: 'falling', dash: '8 3 2 3', symbol: symbolDiamond },
  { colour: 'var(--color-series-5)', hatch: 'level', dash: '10 4', symbol: symbolStar },
  { colour: 'var(--color-series-6)', hatch: 'grid', dash: '4 2 1 2 1 2', symbol: symbolWye },
];

export const maximumSeries = styles.length;

/** More than six series cannot be told apart: a chart that needs more needs small multiples. */
export function seriesStyle(index: number): SeriesStyle {
  const style = styles[index];
  if (!style) throw new RangeError(`A chart shows at most ${styles.length} series.`);
  return style;
}
