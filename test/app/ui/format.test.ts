import { describe, expect, it } from 'vitest';
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDate,
  formatDateTime,
  formatDifference,
  formatDuration,
  formatNumber,
  formatPercent,
  formatPercentInterval,
  formatShort,
  secondsLeft,
} from '@/lib/core/format';

/** Narrow no-break spaces are hard to see in a test: write them as ordinary ones. */
const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('numbers', () => {
  it.each([
    [0, 0, '0'],
    [1234, 0, '1234'],
    [12_345, 0, '12 345'],
    [1_234_567.891, 2, '1 234 567.89'],
    [-3.25, 1, '−3.3'],
    [-0.001, 1, '0.0'],
    [Number.NaN, 0, '–'],
    [Number.POSITIVE_INFINITY, 0, '–'],
  ])('%d with %d digits reads %s', (value, digits, text) => {
    expect(plain(formatNumber(value, digits))).toBe(text);
  });

  it('has a dash for what is not known', () => {
    expect([formatNumber(null), formatPercent(undefined), formatBytes(null), formatDate(null)]).toEqual(
      Array(4).fill('–'),
    );
  });

  it('shortens without trailing zeros', () => {
    expect([0.1, 25, 1200, 0.30000000000000004, 123_456].map((value) => plain(formatShort(value)))).toEqual([
      '0.1',
      '25',
      '1200',
      '0.3',
      '123 500',
    ]);
  });

  it('shows the sign of a difference, unless it rounds to nothing', () => {
    expect([1.25, -0.4, 0, 0.01].map((value) => formatDifference(value))).toEqual([
      '+1.3',
      '−0.4',
      '0.0',
      '0.0',
    ]);
  });

  it('carries the interval of a share', () => {
    expect(plain(formatPercentInterval(0.873, [0.841, 0.9]))).toBe('87.3 % (84.1–90.0)');
  });

  it('counts things', () => {
    expect([formatCount(1, 'image'), formatCount(0, 'image'), formatCount(2, 'class', 'classes')]).toEqual([
      '1 image',
      '0 images',
      '2 classes',
    ]);
  });
});

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [1_500_000, '1.5 MB'],
    [999_950_000, '1.0 GB'],
    [123_456_789_000, '123 GB'],
  ])('%d bytes read %s', (bytes, text) => {
    expect(plain(formatBytes(bytes))).toBe(text);
  });
});

describe('durations', () => {
  it.each([
    [0, '0 s'],
    [0.0004, '1 ms'],
    [0.25, '250 ms'],
    [0.9996, '1 s'],
    [59.6, '1 min'],
    [94, '1 min 34 s'],
    [3600, '1 h'],
    [4000, '1 h 6 min'],
    [86_399.9, '1 d'],
    [266_400, '3 d 2 h'],
  ])('%d seconds read %s', (seconds, text) => {
    expect(plain(formatDuration(seconds))).toBe(text);
  });

  it('says how long ago, in one unit', () => {
    const now = new Date('2026-11-16T12:00:00Z');
    const ages = [
      '2026-11-16T11:59:58Z',
      '2026-11-16T11:57:10Z',
      '2026-11-13T00:00:00Z',
      '2026-11-16T14:30:00Z',
    ];
    expect(ages.map((moment) => plain(formatAge(moment, now)))).toEqual([
      'now',
      '2 min ago',
      '3 d ago',
      'in 2 h',
    ]);
  });

  it('estimates the time left from the rate so far, and stays silent while it cannot know', () => {
    const start = '2026-11-16T12:00:00Z';
    const now = new Date('2026-11-16T12:01:00Z');
    expect(secondsLeft(20, 100, start, now)).toBe(240);
    expect(secondsLeft(0, 100, start, now)).toBeNull();
    expect(secondsLeft(20, null, start, now)).toBeNull();
    expect(secondsLeft(20, 100, null, now)).toBeNull();
    expect(secondsLeft(20, 100, start, new Date('2026-11-16T12:00:01Z'))).toBeNull();
  });
});

describe('dates', () => {
  it('are in UTC and sort as text', () => {
    expect(formatDateTime('2026-11-16T02:35:59+02:00')).toBe('2026-11-16 00:35');
    expect(formatDate(new Date(Date.UTC(2026, 0, 2)))).toBe('2026-01-02');
    expect(formatDate('not a date')).toBe('–');
  });
});
