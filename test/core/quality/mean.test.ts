import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanWithInterval } from '@/lib/core/quality/interval';

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
