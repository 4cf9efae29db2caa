import { describe, expect, it } from 'vitest';
import { clopperPearson, pairedDifference } from '@/lib/core/statistics/paired';

describe('paired differences', () => {
  it("have Student's interval", () => {
    const { mean, low, high, n } = pairedDifference([1, 2, 3, 4]);
    expect({ mean, n }).toEqual({ mean: 2.5, n: 4 });
    // 3.182446 is the 97.5 % point with 3 degrees of freedom, the standard error is 0.645497.
    expect(high - mean).toBeCloseTo(3.182446 * 0.645497, 4);
    expect(mean - low).toBeCloseTo(high - mean, 12);
  });

  it('of a single pair have no bounds', () => {
    expect(pairedDifference([0.2])).toEqual({
      mean: 0.2,
      low: Number.NEGATIVE_INFINITY,
      high: Number.POSITIVE_INFINITY,
      n: 1,
    });
  });
});

describe('the exact interval of a share', () => {
  it('agrees with published values', () => {
    // 0 of 300: 1 − 0.025^(1/300).
    expect(clopperPearson(0, 300)).toEqual({ low: 0, high: expect.closeTo(1 - 0.025 ** (1 / 300), 8) });
    const { low, high } = clopperPearson(1, 10);
    expect(low).toBeCloseTo(0.0025, 4);
    expect(high).toBeCloseTo(0.445, 3);
  });
});
