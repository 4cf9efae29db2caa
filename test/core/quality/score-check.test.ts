import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyMask, encodeCounts, rasterizeBox } from '@/lib/core/mask';
import { defaultPolicy } from '@/lib/core/quality/policy';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { addHits, countHits, isAtLeast, precision, recall } from '@/lib/core/quality/score';
import { hitsByAttribute, hitsIn, type Scored, scoreCheck } from '@/lib/core/quality/score-check';
import { createRng } from '@/lib/demo/scenes/prng';

const [height, width] = [64, 64];

const attributes = (...ids: string[]): Scored => ({
  value: { kind: 'attributes', choices: { parts: ids.length > 0 ? ids : ['none'] } },
  mask: null,
});

const box = (x: number, y: number, w: number, h: number): Scored => ({
  value: { kind: 'mask', shapes: [{ kind: 'polygon', op: 'add', outer: [0, 0, 1, 0, 1, 1], holes: [] }] },
  mask: encodeCounts(rasterizeBox([x, y, w, h], height, width)),
});

const nothing: Scored = { value: { kind: 'nothing' }, mask: null };

const score = (
  stageKind: 'attributes' | 'part-mask' | 'oracle',
  answer: Scored,
  gold: Scored,
  policy = rival10Policy,
) => scoreCheck({ stageKind, answer, gold, height, width, policy });

describe('a check on attributes', () => {
  it('counts what is right, wrong and missed, and remembers which', () => {
    const { score: found, passed } = score(
      'attributes',
      attributes('ears', 'tail', 'wings'),
      attributes('ears', 'tail', 'mane', 'text'),
    );
    expect(found).toMatchObject({ truePositives: 2, falsePositives: 1, falseNegatives: 2 });
    expect(found.precision).toBeCloseTo(2 / 3, 12);
    expect(found.recall).toBe(0.5);
    expect(found.level).toBeCloseTo(4 / 7, 12);
    expect(passed).toBe(true);
    expect(hitsIn(found)).toEqual({ truePositives: 2, falsePositives: 1, falseNegatives: 2 });
    expect(Object.fromEntries(hitsByAttribute(found))).toEqual({
      ears: { truePositives: 1, falsePositives: 0, falseNegatives: 0 },
      tail: { truePositives: 1, falsePositives: 0, falseNegatives: 0 },
      wings: { truePositives: 0, falsePositives: 1, falseNegatives: 0 },
      mane: { truePositives: 0, falsePositives: 0, falseNegatives: 1 },
      text: { truePositives: 0, falsePositives: 0, falseNegatives: 1 },
    });
  });

  it('takes "none" for what it says: nothing is there', () => {
    const { score: found, passed } = score('attributes', attributes(), attributes());
    expect(found).toMatchObject({ level: 1, truePositives: 0, falsePositives: 0, falseNegatives: 0 });
    expect(passed).toBe(true);
  });

  it.each([
    [4, 2, 0, true],
    [4, 1, 0, false],
    [3, 1, 0, true],
    [3, 0, 0, false],
    [2, 1, 1, true],
    [2, 0, 0, false],
    [4, 4, 2, true],
    [4, 4, 5, false],
  ])('with %i there, %i found and %i made up is passed: %s', (there, found, madeUp, passed) => {
    const truth = Array.from({ length: there }, (_, i) => `there-${i}`);
    const others = Array.from({ length: madeUp }, (_, i) => `made-up-${i}`);
    const marked = [...truth.slice(0, found), ...others];
    expect(score('attributes', attributes(...marked), attributes(...truth)).passed).toBe(passed);
  });

  it('is passed nine times in ten by somebody exactly at the bar, and much less often by somebody far under it', () => {
    const rng = createRng(7);
    const share = (skill: number) => {
      const passes = Array.from({ length: 1000 }, () => {
        const truth = Array.from({ length: rng.integer(2, 7) }, (_, i) => `there-${i}`);
        const marked = truth.map((id) => (rng.bernoulli(skill) ? id : null));
        const wrong = truth.map((_, i) => (rng.bernoulli(1 - skill) ? `made-up-${i}` : null));
        const answer = [...marked, ...wrong].filter((id) => id !== null);
        return score('attributes', attributes(...answer), attributes(...truth)).passed;
      });
      return passes.filter(Boolean).length / passes.length;
    };
    expect(share(0.75)).toBeGreaterThan(0.86);
    expect(share(0.9)).toBeGreaterThan(0.97);
    expect(share(0.5)).toBeLessThan(0.7);
    expect(share(0.3)).toBeLessThan(0.35);
  });

  it('does not get worse when one more is right', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    fc.assert(
      fc.property(fc.subarray(ids), fc.subarray(ids, { minLength: 1 }), (marked, truth) => {
        const missed = truth.find((id) => !marked.includes(id));
        if (!missed) return;
        const before = score('attributes', attributes(...marked), attributes(...truth));
        const after = score('attributes', attributes(...marked, missed), attributes(...truth));
        expect(after.score.level).toBeGreaterThan(before.score.level ?? 1);
        expect(Number(after.passed)).toBeGreaterThanOrEqual(Number(before.passed));
      }),
    );
  });
});

describe('a check on a mask', () => {
  it('is scored by intersection over union', () => {
    const { score: found, passed } = score('part-mask', box(0, 0, 20, 20), box(0, 0, 20, 40));
    expect(found).toMatchObject({ iou: 0.5, level: 0.5 });
    expect(passed).toBe(false);
  });

  it('gives one drawing the slack that the bar of the mean leaves it', () => {
    expect(score('part-mask', box(0, 0, 20, 24), box(0, 0, 20, 40)).passed).toBe(true);
  });

  it('forgives two pixels around a small part, but keeps plain IoU as a number', () => {
    const [fat, small] = [box(8, 8, 12, 12), box(10, 10, 8, 8)];
    const plain = score('part-mask', fat, small);
    const aware = score('part-mask', fat, small, defaultPolicy);
    expect(plain.score.iou).toBeCloseTo(64 / 144, 12);
    expect(plain.passed).toBe(false);
    expect(aware.score.iou).toBe(plain.score.iou);
    expect(aware.score.level).toBeGreaterThan(0.65);
    expect(aware.passed).toBe(true);
  });

  it.each([
    ['nothing, and nothing is there', nothing, nothing, 1],
    ['nothing, but something is there', nothing, box(3, 3, 9, 9), 0],
    ['something, but nothing is there', box(3, 3, 9, 9), nothing, 0],
  ])('says %s', (_what, answer, gold, level) => {
    const result = score('part-mask', answer, gold, defaultPolicy);
    expect(result.score).toEqual({ level, iou: level, sizeAware: level });
    expect(result.passed).toBe(level === 1);
  });

  it('accepts bars at both ends', () => {
    const withBar = (minMeanIou: number) => ({
      ...defaultPolicy,
      maskExam: { ...defaultPolicy.maskExam, minMeanIou },
    });
    const [half, whole] = [box(0, 0, 20, 20), box(0, 0, 20, 40)];
    expect(score('part-mask', half, whole, withBar(0)).passed).toBe(true);
    expect(score('part-mask', half, whole, withBar(1)).passed).toBe(false);
    expect(score('part-mask', whole, whole, withBar(1)).passed).toBe(true);
  });

  it('refuses a mask of another size', () => {
    const other = { ...nothing, mask: encodeCounts(emptyMask(8, 8)) };
    expect(() => score('part-mask', other, box(0, 0, 5, 5))).toThrow();
  });
});

describe('a check on a class', () => {
  const says = (className: string): Scored => ({ value: { kind: 'class', className }, mask: null });

  it('is right or wrong', () => {
    expect(score('oracle', says('cat'), says('cat'))).toMatchObject({ score: { level: 1 }, passed: true });
    expect(score('oracle', says('dog'), says('cat'))).toMatchObject({
      score: { level: 0, truePositives: 0, falsePositives: 1, falseNegatives: 1 },
      passed: false,
    });
  });
});

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
