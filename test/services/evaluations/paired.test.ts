import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agreement } from '@/lib/core/robustness/metrics/estimate';
import {
  type ImageOutcome,
  imageMeasures,
  pairedDifferences,
} from '@/lib/core/robustness/report/paired-differences';

const outcome = fc.record({
  className: fc.constantFrom('a', 'b'),
  isRight: fc.boolean(),
  scores: fc.record({
    'right noise.object.linf': fc.constantFrom(0, 0.5, 1),
    'right noise.background.linf': fc.constantFrom(0, 0.5, 1),
    'right mix.same': fc.constantFrom(0, 1, null),
    'right mix.other': fc.constantFrom(0, 1),
    'saliency lift': fc.double({ min: 0, max: 5, noNaN: true }),
  }),
});

describe('two models on the same images', () => {
  it('do not differ from themselves, in any number and any draw', () => {
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 1, maxLength: 12 }), (outcomes) => {
        const found = pairedDifferences(outcomes.map((each) => [each, each] as const));
        for (const { first, second, difference, low, high } of found) {
          expect(second).toBe(first);
          expect([difference, low ?? 0, high ?? 0]).toEqual([0, 0, 0]);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('differ by the opposite when they change places', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(outcome, outcome), { minLength: 2, maxLength: 10 }), (pairs) => {
        const named = (list: readonly (readonly [ImageOutcome, ImageOutcome])[]) =>
          new Map(pairedDifferences(list).map((each) => [each.id, each]));
        const [there, back] = [named(pairs), named(pairs.map(([a, b]) => [b, a] as const))];
        expect([...there.keys()]).toEqual([...back.keys()]);
        for (const [id, { difference, low, high }] of there) {
          expect(back.get(id)?.difference).toBeCloseTo(-difference, 10);
          if (low !== null) expect(back.get(id)?.high).toBeCloseTo(-low, 10);
          if (high !== null) expect(back.get(id)?.low).toBeCloseTo(-high, 10);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('are told apart by fewer images than unpaired ones would need', () => {
    // Both are right on every second image; the second model on two more.
    const pairs = Array.from({ length: 100 }, (_, i): [ImageOutcome, ImageOutcome] => {
      const image = (isRight: boolean) => ({ className: 'a', isRight, scores: {} });
      return [image(i % 2 === 0), image(i % 2 === 0 || i < 16)];
    });
    const [accuracy] = pairedDifferences(pairs);
    expect(accuracy).toMatchObject({ id: 'clean-accuracy', first: 0.5, second: 0.58, n: 100 });
    // Unpaired, the interval of a difference of shares of 100 images each is 0.14 wide on either side.
    expect(accuracy?.low).toBeGreaterThan(0.01);
    expect(accuracy?.high).toBeLessThan(0.16);
  });

  it('are compared on images that both have a part of, and null is not 0', () => {
    const image = (same: number | null): ImageOutcome => ({
      className: 'a',
      isRight: true,
      scores: { 'right mix.same': same, 'right mix.other': 1 },
    });
    const found = pairedDifferences([
      [image(1), image(0)],
      [image(null), image(0)],
      [image(1), image(null)],
    ]);
    expect(found.find(({ id }) => id === 'background-gap')).toMatchObject({ n: 1, difference: -1 });
    expect(found.find(({ id }) => id === 'right mix.other')).toMatchObject({ n: 3, difference: 0 });
    expect(imageMeasures([]).map(({ id }) => id)).toEqual(['clean-accuracy']);
  });

  it('agree as McNemar’s exact test says', () => {
    const of = (both: number, first: number, second: number, none: number) =>
      agreement([
        ...Array.from({ length: both }, () => [true, true] as const),
        ...Array.from({ length: first }, () => [true, false] as const),
        ...Array.from({ length: second }, () => [false, true] as const),
        ...Array.from({ length: none }, () => [false, false] as const),
      ]);
    expect(of(5, 1, 9, 2)).toMatchObject({ bothRight: 5, onlyFirst: 1, onlySecond: 9, bothWrong: 2 });
    // 2 · (1 + 10) / 2^10.
    expect(of(5, 1, 9, 2).p).toBeCloseTo(0.021484375, 12);
    expect(of(3, 0, 0, 3).p).toBe(1);
    expect(of(0, 4, 4, 0).p).toBe(1);
    expect(of(0, 0, 3000, 0).p).toBe(0);
  });
});
