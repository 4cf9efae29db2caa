import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanWithInterval, wilson } from '@/lib/core/quality/interval';

describe("Wilson's interval", () => {
  it('agrees with the worked example of Newcombe (1998), table I: 81 of 263', () => {
    const share = wilson(81, 263);
    expect(share?.low).toBeCloseTo(0.2553, 4);
    expect(share?.high).toBeCloseTo(0.3662, 4);
  });

  it('agrees with the same table where the share is 0: 0 of 20', () => {
    const share = wilson(0, 20);
    expect(share?.low).toBe(0);
    expect(share?.high).toBeCloseTo(0.1611, 4);
  });

  it('says that there is no estimate when there are no cases', () => {
    expect(wilson(0, 0)).toBeNull();
  });

  it('holds its share, and narrows with the number of cases', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, p) => {
        const hits = Math.round(n * p);
        const few = wilson(hits, n);
        const many = wilson(hits * 10, n * 10);
        if (!few || !many) throw new Error('an interval is expected');
        expect(few.low).toBeLessThanOrEqual(few.value + 1e-12);
        expect(few.high).toBeGreaterThanOrEqual(few.value - 1e-12);
        expect(many.high - many.low).toBeLessThan(few.high - few.low + 1e-12);
      }),
    );
  });
});

describe('a mean with its interval', () => {
  it('is unknown of nothing', () => {
    expect(meanWithInterval([])).toBeNull();
  });

  it('is wide of one score, however good', () => {
    // Four guessed scores: t(0.975, 4 df) = 2.7764, spread 0.15.
    expect(meanWithInterval([0.9])?.low).toBeCloseTo(0.9 - 2.7764 * 0.15, 4);
  });

  it('holds its mean, narrows with more scores and widens with certainty', () => {
    const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(scores, (list) => {
        const once = meanWithInterval(list);
        const four = meanWithInterval([...list, ...list, ...list, ...list]);
        const sure = meanWithInterval(list, 0.99);
        if (!once || !four || !sure) throw new Error('a list of scores has a mean');
        expect(once.low).toBeLessThanOrEqual(once.value);
        expect(once.high).toBeGreaterThanOrEqual(once.value);
        expect(sure.high - sure.low).toBeGreaterThan(once.high - once.low);
        expect(four.value).toBeCloseTo(once.value, 9);
      }),
    );
    expect(width(Array(20).fill(0.7))).toBeLessThan(width(Array(5).fill(0.7)));
  });
});

const width = (list: number[]): number => {
  const mean = meanWithInterval(list);
  return mean ? mean.high - mean.low : Number.NaN;
};
