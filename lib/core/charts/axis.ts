import { scaleLinear } from 'd3-scale';
import { formatShort } from '@/lib/core/format';

export interface Tick {
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

export interface AxisOptions {
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
  const labels = withoutZeros(ticks.map((value) => format(value)));
  return {
    ticks: ticks.map((value, i) => ({ value, at: scale(value), label: labels[i] as string })),
    at: (value) => scale(value),
    domain: [low, high],
  };
}

const ZEROS = /\.0+(?=\D*$)/;

/** Digits that no tick needs are left out: "20 %" and not "20.0 %", where the others are whole too. */
const withoutZeros = (labels: readonly string[]): string[] =>
  labels.map((label) => (labels.every((each) => ZEROS.test(each)) ? label.replace(ZEROS, '') : label));
