import { describe, expect, it } from 'vitest';
import { decimalOf, hourlyRate, roundedMs, workerFormat } from '@/lib/core/i18n/worker-format';

const now = new Date('2026-11-18T12:00:00Z');
const reader = (locale: string, timeZone = 'UTC') => workerFormat({ locale, timeZone, now });
/** Formats use several kinds of spaces. */
const plain = (text: string) => text.replace(/[\s\u200e\u200f]+/g, ' ');

describe('money', () => {
  it.each([
    ['en-US', '$1,234.50'],
    ['de', '1.234,50 $'],
    ['ja', '$1,234.50'],
    ['pt-BR', 'US$ 1.234,50'],
  ])('is written as people who read %s write it', (locale, text) => {
    expect(plain(reader(locale).money(1_234_500_000n, 'USD'))).toBe(text);
  });

  it('has the digits of its currency, and a code where the currency is made up', () => {
    expect(plain(reader('en').money(1_234_500_000n, 'JPY'))).toBe('¥1,235');
    expect(plain(reader('en').money(5_000_000n, 'XQX'))).toBe('XQX 5.00');
    expect(plain(reader('en').money(5_000_000n, 'not'))).toContain('5.00');
  });

  it('keeps its order in text that runs from right to left', () => {
    expect(plain(reader('ar').money(10_030_000n, 'USD'))).toBe('\u206610.03 US$\u2069');
  });

  it('is exact far beyond what a number can hold', () => {
    expect(decimalOf(-9_007_199_254_740_993_000_001n)).toBe('-9007199254740993.000001');
    expect(reader('en').money(9_007_199_254_740_993_120_000n, 'USD')).toBe('$9,007,199,254,740,993.12');
  });
});

describe('time', () => {
  it('is that of the reader’s zone', () => {
    expect(plain(reader('en-US', 'Asia/Kolkata').dateTime(now))).toBe('Nov 18, 2026, 5:30 PM');
    expect(plain(reader('de', 'America/Sao_Paulo').dateTime(now))).toBe('18.11.2026, 09:00');
  });

  it.each([
    ['2026-11-18T15:00:00Z', 'in 3 hours'],
    ['2026-11-19T12:00:00Z', 'tomorrow'],
    ['2026-11-18T11:58:00Z', '2 minutes ago'],
    ['2026-11-18T12:00:00Z', 'now'],
  ])('%s is "%s"', (moment, text) => {
    expect(reader('en').relative(moment)).toBe(text);
  });

  it('is given in the two largest units', () => {
    expect(plain(reader('en').duration(4_000_000))).toBe('1 hr 6 min');
    expect(plain(reader('en').duration(59_000))).toBe('59 sec');
    expect(plain(reader('en').duration(0))).toBe('0 sec');
    expect(plain(reader('de').duration(3_600_000))).toBe('1 Std.');
    expect(plain(reader('fr').duration(90_000))).toBe('1 min 30 s');
  });

  it('is rounded to what an estimate can promise', () => {
    expect([roundedMs(400), roundedMs(22_000), roundedMs(95_000), roundedMs(3_570_000)]).toEqual([
      5000, 20_000, 120_000, 3_600_000,
    ]);
  });
});

describe('an hourly rate', () => {
  it('is the pay by the time it takes', () => {
    expect(hourlyRate(750_000n, 300_000)).toBe(9_000_000n);
  });

  it('is unknown without a time', () => {
    expect(hourlyRate(750_000n, 0)).toBeNull();
  });
});
