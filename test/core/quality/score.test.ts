import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addHits, countHits, isAtLeast, precision, recall } from '@/lib/core/quality/score';

describe('scoring a form against the truth', () => {
  it('counts what is right, too much and missing', () => {
    const hits = countHits(['ears', 'tail', 'wheels'], ['ears', 'tail', 'mane', 'hairy']);
    expect(hits).toEqual({ truePositives: 2, falsePositives: 1, falseNegatives: 2 });
    expect(precision(hits)).toBeCloseTo(2 / 3, 12);
    expect(recall(hits)).toBe(0.5);
  });

  it('counts an attribute that is marked twice once', () => {
    expect(countHits(['ears', 'ears'], ['ears'])).toEqual({
      truePositives: 1,
      falsePositives: 0,
      falseNegatives: 0,
    });
  });

  it('is undefined when nothing was marked or nothing is there, and that misses no bar', () => {
    expect(precision(countHits([], ['ears']))).toBeNull();
    expect(recall(countHits([], ['ears']))).toBe(0);
    expect(recall(countHits(['ears'], []))).toBeNull();
    expect(precision(countHits(['ears'], []))).toBe(0);
    expect(isAtLeast(null, 1)).toBe(true);
  });

  it('reaches a bar that it equals up to rounding, and no higher one', () => {
    expect(isAtLeast(0.1 + 0.2, 0.3)).toBe(true);
    expect(isAtLeast(0.3, 0.1 + 0.2)).toBe(true);
    expect(isAtLeast(0.749, 0.75)).toBe(false);
    expect(isAtLeast(0, 0.75)).toBe(false);
  });

  it('sums before it divides, so that a form with many attributes weighs more', () => {
    const sum = addHits([countHits(['a'], ['a']), countHits(['b', 'c', 'd'], ['x'])]);
    expect(precision(sum)).toBe(0.25);
    expect(recall(sum)).toBe(0.5);
  });

  it('stays between 0 and 1 whatever is marked, and is undefined only without anything to divide by', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
    fc.assert(
      fc.property(ids, ids, (marked, truth) => {
        const hits = countHits(marked, truth);
        for (const [value, list] of [
          [precision(hits), marked],
          [recall(hits), truth],
        ] as const) {
          expect(value === null).toBe(list.length === 0);
          if (value === null) continue;
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
