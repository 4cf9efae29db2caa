import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addHits, countHits, precision, recall } from '@/lib/quality/score';

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

  it('has an answer when nothing was marked or nothing is there', () => {
    expect(precision(countHits([], ['ears']))).toBe(1);
    expect(recall(countHits([], ['ears']))).toBe(0);
    expect(recall(countHits(['ears'], []))).toBe(1);
    expect(precision(countHits(['ears'], []))).toBe(0);
  });

  it('sums before it divides, so that a form with many attributes weighs more', () => {
    const sum = addHits([countHits(['a'], ['a']), countHits(['b', 'c', 'd'], ['x'])]);
    expect(precision(sum)).toBe(0.25);
    expect(recall(sum)).toBe(0.5);
  });

  it('stays between 0 and 1 whatever is marked', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
    fc.assert(
      fc.property(ids, ids, (marked, truth) => {
        const hits = countHits(marked, truth);
        for (const value of [precision(hits), recall(hits)]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
