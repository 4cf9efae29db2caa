import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaCdf, betaQuantile, binomialCdf, studentQuantile } from '@/lib/core/quality/distributions';

describe('the distributions behind decisions', () => {
  it('knows the beta distribution where it can be computed by hand', () => {
    expect(betaCdf(0.3, 1, 1)).toBeCloseTo(0.3, 12);
    // Beta(2, 1) has the cumulative x², Beta(1, 3) has 1 − (1 − x)³.
    expect(betaCdf(0.6, 2, 1)).toBeCloseTo(0.36, 12);
    expect(betaCdf(0.2, 1, 3)).toBeCloseTo(1 - 0.8 ** 3, 12);
  });

  it("knows Student's quantiles of the printed tables", () => {
    expect(studentQuantile(0.975, 1)).toBeCloseTo(12.706, 3);
    expect(studentQuantile(0.975, 5)).toBeCloseTo(2.5706, 4);
    expect(studentQuantile(0.995, 10)).toBeCloseTo(3.1693, 4);
    expect(studentQuantile(0.975, 1000)).toBeCloseTo(1.9623, 4);
  });

  it('sums binomial chances', () => {
    expect(binomialCdf(1, 4, 0.75)).toBeCloseTo(0.25 ** 4 + 4 * 0.75 * 0.25 ** 3, 12);
    expect(binomialCdf(-1, 4, 0.75)).toBe(0);
    expect(binomialCdf(4, 4, 0.75)).toBe(1);
    expect(binomialCdf(3, 4, 1)).toBe(0);
    expect(binomialCdf(0, 4, 0)).toBe(1);
  });

  it('is monotone, mirrored and inverted by its quantile', () => {
    const inside = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    const shape = fc.double({ min: 0.5, max: 300, noNaN: true });
    fc.assert(
      fc.property(inside, inside, shape, shape, (x, y, a, b) => {
        const [low, high] = [Math.min(x, y), Math.max(x, y)];
        expect(betaCdf(low, a, b)).toBeLessThanOrEqual(betaCdf(high, a, b) + 1e-12);
        expect(betaCdf(x, a, b)).toBeCloseTo(1 - betaCdf(1 - x, b, a), 9);
        expect(betaCdf(betaQuantile(x, a, b), a, b)).toBeCloseTo(x, 6);
      }),
    );
  });
});
