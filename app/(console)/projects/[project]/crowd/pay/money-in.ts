import { formatMoney, noValue } from '@/lib/core/format';

/** Formats sums by currency. Amounts of different currencies are never added. */
export function moneyIn<Row extends { currency: string }>(
  rows: readonly Row[],
  amount: (row: Row) => bigint,
): string {
  const sums = new Map<string, bigint>();
  for (const row of rows) sums.set(row.currency, (sums.get(row.currency) ?? 0n) + amount(row));
  return [...sums].map(([currency, micro]) => formatMoney(micro, currency)).join(', ') || noValue;
}

/** Formats an amount without rounding, for files: 1234567n → "1.234567". */
export const exactAmount = (micro: bigint): string => {
  const digits = String(micro < 0n ? -micro : micro).padStart(7, '0');
  const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/0{1,4}$/, '');
  return micro < 0n ? `-${text}` : text;
};
