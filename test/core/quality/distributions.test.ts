import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaCdf, betaQuantile, binomialCdf, studentQuantile } from '@/lib/core/quality/distributions';
import { betaBelow, evidenceLimit, evidenceOf, suspicionOf } from '@/lib/core/quality/sequential';

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

const outcomes = (passed: number, failed: number) => [
  ...Array<boolean>(passed).fill(true),
  ...Array<boolean>(failed).fill(false),
];

/** The most passes among n checks at which the posterior still says "under the bar" with 95 %. */
function mostPassesUnder(n: number, prior?: { a: number; b: number }): number {
  for (let passed = n; passed >= 0; passed--)
    if (betaBelow(passed, n - passed, 0.7, prior) > 0.95) return passed;
  return -1;
}

describe('the Beta posterior of a pass rate', () => {
  it.each([
    [3, 0],
    [5, 1],
    [8, 3],
    [10, 4],
    [15, 7],
    [20, 10],
  ])('of %i checks speaks against a stranger up to %i passes', (n, passes) => {
    expect(mostPassesUnder(n)).toBe(passes);
  });

  it.each([
    [8, 1],
    [10, 2],
    [15, 5],
    [20, 8],
  ])('of %i checks speaks against somebody with a passed exam up to %i passes', (n, passes) => {
    expect(mostPassesUnder(n, { a: 8, b: 2 })).toBe(passes);
  });

  it('says nothing of nothing', () => {
    expect(betaBelow(0, 0, 0.7)).toBeCloseTo(0.7, 12);
  });
});

describe('the sequential evidence', () => {
  it('is what Wald computes by hand: three failures cross, two do not', () => {
    expect(evidenceLimit()).toBeCloseTo(Math.log(19), 12);
    expect(evidenceOf([])).toBe(0);
    expect(evidenceOf([false])).toBeCloseTo(Math.log(4), 12);
    expect(evidenceOf(outcomes(0, 2))).toBeLessThan(evidenceLimit());
    expect(evidenceOf(outcomes(0, 3))).toBeGreaterThan(evidenceLimit());
    expect(evidenceOf([true])).toBeCloseTo(Math.log(2 / 3), 12);
  });

  it('does not let a long good past pay for a bad present', () => {
    const past = Array<boolean>(1000).fill(true);
    expect(evidenceOf([...past, ...outcomes(0, 5)])).toBeGreaterThan(evidenceLimit());
    expect(evidenceOf(past)).toBeCloseTo(-evidenceLimit(), 12);
  });

  it('knows no credit where it only decides how closely to look', () => {
    expect(suspicionOf(outcomes(50, 0))).toBe(0);
    expect(suspicionOf(outcomes(50, 1))).toBeCloseTo(Math.log(4), 12);
  });

  it('never falls under its floor, and rises with a failure and falls with a pass', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 80 }), (list) => {
        const now = evidenceOf(list);
        expect(now).toBeGreaterThanOrEqual(-evidenceLimit() - 1e-12);
        expect(evidenceOf([...list, false])).toBeGreaterThan(now);
        expect(evidenceOf([...list, true])).toBeLessThanOrEqual(now);
      }),
    );
  });
});
