import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaBelow, evidenceLimit, evidenceOf, suspicionOf } from '@/lib/core/quality/sequential';

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
