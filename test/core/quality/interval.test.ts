import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilson } from '@/lib/core/quality/interval';

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
