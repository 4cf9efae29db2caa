import type { Finding } from '@/lib/evaluation/report/report';
import { formatNumber, formatPercent, noValue } from '@/lib/format';

type Shown = Pick<Finding, 'value' | 'unit' | 'isBound'>;

/** A finding as it is read: shares in percent, differences of shares in points. */
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
      : formatNumber(value, 3);

export function intervalText({
  low,
  high,
  unit,
}: Pick<Finding, 'low' | 'high' | 'unit'>): string | undefined {
  if (low === null || high === null) return undefined;
  const digits = unit === 'number' ? 3 : 1;
  const factor = unit === 'number' ? 1 : 100;
  return `${formatNumber(factor * low, digits)}–${formatNumber(factor * high, digits)}`;
}
