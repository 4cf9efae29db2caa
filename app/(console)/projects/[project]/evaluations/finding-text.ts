import { formatDifference, formatNumber, formatPercent, noValue } from '@/lib/core/format';
import type { Finding } from '@/lib/core/robustness/report/report';

type Shown = Pick<Finding, 'value' | 'unit' | 'isBound'>;

/** Formats a finding: shares in percent, differences in points. */
export function findingText(finding: Shown | undefined): string {
  if (!finding || finding.value === null) return noValue;
  const text = valueText(finding.value, finding.unit);
  return finding.isBound ? `≤ ${text}` : text;
}

export const valueText = (value: number, unit: Finding['unit']): string =>
  unit === 'share'
    ? formatPercent(value)
    : unit === 'points'
      ? `${formatNumber(100 * value, 1)} points`
      : formatNumber(value, digitsOf(value));

/** Counts need no decimals, means of counts one, sensitivities three. */
const digitsOf = (...values: number[]): number =>
  values.every((value) => Number.isInteger(value) && Math.abs(value) > 1)
    ? 0
    : values.some((value) => Math.abs(value) >= 10)
      ? 1
      : 3;

type Ends = { low: number | null; high: number | null; unit: Finding['unit'] };

const factorOf = (unit: Finding['unit']): number => (unit === 'number' ? 1 : 100);

/** "0.12–0.34", or "−0.12 to 0.34" with negative values. */
export const spanText = (low: number, high: number, digits: number): string =>
  `${formatNumber(low, digits)}${low < 0 || high < 0 ? ' to ' : '–'}${formatNumber(high, digits)}`;

export function intervalText({ low, high, unit }: Ends): string | undefined {
  if (low === null || high === null) return undefined;
  const digits = unit === 'number' ? digitsOf(low, high) : 1;
  return spanText(factorOf(unit) * low, factorOf(unit) * high, digits);
}

/** "+3.2 points" for shares, plain differences otherwise. */
export const differenceText = (difference: number, unit: Finding['unit']): string =>
  unit === 'number'
    ? formatDifference(difference, 2)
    : `${formatDifference(factorOf(unit) * difference, 1)} points`;

/** Interval of a difference: "−1.2 to +3.4". */
export function differenceEnds({ low, high, unit }: Ends): string | undefined {
  if (low === null || high === null) return undefined;
  const digits = unit === 'number' ? 2 : 1;
  const text = (end: number) => formatDifference(factorOf(unit) * end, digits);
  return `${text(low)} to ${text(high)}`;
}

/** Headline metrics: finding id, label, direction and suite. */
export const headlineMetrics = [
  ['clean-accuracy', 'Clean accuracy', 'more', null],
  ['rfs', 'Foreground sensitivity', 'more', 'noise'],
  ['gray-background', 'Gray backgrounds', 'more', 'noise'],
  ['corruption-accuracy', 'Corruption accuracy', 'more', 'corruptions'],
  ['background-gap', 'Background gap', 'less', 'backgrounds'],
  ['adversarial-accuracy', 'Robust accuracy', 'more', 'attacks'],
  ['fmr', 'Oracle-validated (FMR)', 'more', 'fmr'],
  ['saliency-lift', 'Saliency lift', 'more', 'saliency'],
] as const;
