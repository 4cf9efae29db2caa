import { formatNumber, formatPercent, noValue } from '@/lib/core/format';

type Rate = { value: number; n: number; low: number; high: number };

/** "4.2 % (2.1–8.1)": an estimate with its interval; n stands beside it. */
export function rateText(rate: Rate | null): string {
  if (!rate) return noValue;
  const interval = `${formatNumber(rate.low * 100, 1)}–${formatNumber(rate.high * 100, 1)}`;
  return `${formatPercent(rate.value)} (${interval})`;
}
