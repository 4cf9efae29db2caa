import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxMask, centroidOf } from '@/lib/core/formats/derive';
import { area, boundingBox, fromBitmap, fromLabelMap, type Mask, merge, toLabelMap } from '@/lib/core/mask';
import {
  consistency,
  dropBeyondControl,
  type EditRow,
  editDrop,
  worstEditAccuracy,
} from '@/lib/core/robustness/metrics/benchmark-scores';
import { agreement, kappa, kappaOf } from '@/lib/core/robustness/metrics/estimates';
import {
  type ImageOutcome,
  imageMeasures,
  pairedDifferences,
} from '@/lib/core/robustness/report/paired-differences';
import { maskUncertainty } from '@/lib/core/robustness/saliency/alignment';
import { attributeSurrogate } from '@/lib/core/robustness/suites/attribute-surrogate';
import { AttributeTable, attributePairs } from '@/lib/core/statistics/attribute-pairs';
import { fitLogistic, predict } from '@/lib/core/statistics/logistic';
import vectors from '@/test/fixtures/evaluation-vectors.json' with { type: 'json' };

const bits = (text: string) => Array.from(text, Number);

describe('several masks of one object', () => {
  it('are as worked out by hand', () => {
    const { masks, saliency, pairwiseIoU, iouMajority, softIoU } = vectors.maskUncertainty;
    const found = maskUncertainty(masks.map(bits), bits(saliency));
    [1, 1, 2 / 3, 1 / 3, 0, 0].forEach((share, i) => {
      expect(found.soft[i]).toBeCloseTo(share, 12);
    });
    expect(found.pairwise).toBeCloseTo(pairwiseIoU, 12);
    expect(found.majority).toBe(iouMajority);
    expect(found.certain).toBe(0.5);
    expect(found.softIou).toBeCloseTo(softIoU, 12);
    // 111100 fits the saliency best, 110000 worst.
    expect([found.low, found.high]).toEqual([0.25, 0.75]);
  });

  it('agreeing people give one number; nobody gives none', () => {
    const same = maskUncertainty([bits('1100'), bits('1100')], bits('1010'));
    expect([same.majority, same.certain, same.softIou, same.low, same.high]).toEqual(
      new Array(5).fill(1 / 3),
    );
    expect(same.pairwise).toBe(1);
    expect(maskUncertainty([], bits('1010'))).toMatchObject({
      pairwise: null,
      majority: null,
      certain: null,
      softIou: null,
      low: null,
    });
    expect(maskUncertainty([bits('0000')], bits('0000'))).toMatchObject({ majority: null, softIou: null });
  });
});

describe('derived labels', () => {
  const ofRows = (rows: number[][]): Mask =>
    fromBitmap(Uint8Array.from(rows.flat()), rows.length, rows[0]?.length ?? 0);

  it('boxes, centroids and spreads', () => {
    const { mask: rows, bbox, c, sd, cNorm, cHalfPixel } = vectors.labels;
    const mask = ofRows(rows);
    expect(boundingBox(mask)).toEqual(bbox);
    expect([area(mask), area(boxMask(mask))]).toEqual([4, 6]);
    const found = centroidOf(mask);
    if (!found) throw new Error('There is a centroid.');
    expect([found.x, found.y]).toEqual(c);
    expect(found.spreadX).toBeCloseTo(sd[0] as number, 12);
    expect(found.spreadY).toBeCloseTo(sd[1] as number, 12);
    // As shares of the picture, from −1 to 1: of pixels from 0, and of their centres (what the trainer uses).
    const [height, width] = [rows.length, rows[0]?.length ?? 0];
    expect((found.x / width) * 2 - 1).toBeCloseTo(cNorm[0] as number, 12);
    expect((found.y / height) * 2 - 1).toBeCloseTo(cNorm[1] as number, 12);
    expect(((found.x + 0.5) / width) * 2 - 1).toBeCloseTo(cHalfPixel[0] as number, 12);
    expect(((found.y + 0.5) / height) * 2 - 1).toBeCloseTo(cHalfPixel[1] as number, 12);
    expect(centroidOf(ofRows([[0, 0]]))).toBeNull();
  });

  it('parts become objects, and who is painted first or last keeps a pixel', () => {
    const { part, lut, out } = vectors.merge;
    const layers = fromLabelMap(part.flat(), 3, 3);
    const objects = [...new Set(lut.slice(1))].map((label) => ({
      label,
      mask: merge(layers.filter((layer) => lut[layer.label] === label).map(({ mask }) => mask)),
    }));
    for (const rule of ['first-wins', 'last-wins'] as const)
      expect(Array.from(toLabelMap(objects, rule).labels)).toEqual(out.flat());
    const [a, b] = [ofRows([[1, 1, 0]]), ofRows([[0, 1, 1]])];
    const painted = (rule: 'first-wins' | 'last-wins') =>
      Array.from(
        toLabelMap(
          [
            { label: 1, mask: a },
            { label: 2, mask: b },
          ],
          rule,
        ).labels,
      );
    expect(painted('first-wins')).toEqual([1, 1, 2]);
    expect(painted('last-wins')).toEqual([1, 2, 2]);
  });
});

describe('two judges', () => {
  it('agree beyond chance by as much as was worked out by hand', () => {
    const { p1, p2, observed, kappa: wanted } = vectors.kappa;
    expect(kappaOf(observed, p1 * p2 + (1 - p1) * (1 - p2))).toBeCloseTo(wanted, 12);
    // The same as answers: 63 both right, 17 and 7 one of them, 13 neither.
    const answers = [
      [63, 1, 1],
      [17, 1, 0],
      [7, 0, 1],
      [13, 0, 0],
    ] as const;
    const by = (judge: 1 | 2) => answers.flatMap((row) => new Array<number>(row[0]).fill(row[judge]));
    expect(kappa(by(1), by(2))).toBeCloseTo(wanted, 12);
  });

  it('are at 1 where they always agree, below 0 where never, and nothing where there is nothing to tell', () => {
    expect(kappa(['cat', 'dog', 'cat'], ['cat', 'dog', 'cat'])).toBe(1);
    expect(kappa(['cat', 'dog'], ['dog', 'cat'])).toBe(-1);
    expect(kappa(['cat', 'cat'], ['cat', 'cat'])).toBeNull();
    expect(kappa([], [])).toBeNull();
  });
});

describe('what edits cost', () => {
  const rows = (right: number, after: number, n = 100): EditRow[] =>
    Array.from({ length: n }, (_, i) => ({
      sample: `s${i}`,
      truth: 1,
      clean: i < right ? 1 : 0,
      edited: i < after ? 1 : 0,
    }));

  it('is the fall of accuracy on the same images', () => {
    expect(editDrop(rows(90, 81))?.drop).toBeCloseTo(0.09, 12);
    expect(editDrop([])).toBeNull();
    expect(consistency(rows(90, 81))).toBeCloseTo(0.91, 12);
  });

  it('is counted beyond what cutting and pasting costs, where both are valid', () => {
    const found = dropBeyondControl(rows(90, 81), rows(90, 86).slice(0, 95));
    expect(found?.n).toBe(95);
    expect(found?.drop).toBeCloseTo((86 - 81) / 95, 12);
  });

  it('at its worst counts an image as right only if every edit left it right', () => {
    const [first, second] = [rows(4, 3, 4), rows(4, 4, 6).filter(({ sample }) => sample !== 's0')];
    // s0 … s2 survive both, s3 falls to the first, s4 and s5 are wrong in the second.
    expect(worstEditAccuracy([first, second])).toEqual({ value: 3 / 6, n: 6 });
    expect(worstEditAccuracy([[], []])).toBeNull();
  });
});

describe('attributes and classes', () => {
  const { X, y, r01, r02, means, lr1, lr200 } = vectors.attr;
  const presentIn = (row: readonly number[]) => row.flatMap((value, at) => (value ? [at] : []));

  it('correlations and means of classes', () => {
    const table = new AttributeTable(3);
    X.forEach((row, i) => {
      table.add(presentIn(row), y[i] as number, 0, false);
    });
    const { correlation } = attributePairs(table, null);
    expect(correlation[0]?.[1]?.value).toBeCloseTo(r01, 4);
    expect(correlation[0]?.[2]?.value).toBe(r02);
    expect(correlation[2]?.[2]?.value).toBeNull();
    means.forEach((wanted, c) => {
      const own = attributePairs(tableOf(c), null);
      wanted.forEach((mean, a) => {
        expect((own.together[a]?.[a] ?? 0) / own.n).toBeCloseTo(mean, 12);
      });
    });
  });

  const tableOf = (of: number) => {
    const table = new AttributeTable(3);
    X.forEach((row, i) => {
      if (y[i] === of) table.add(presentIn(row), of, 0, false);
    });
    return table;
  };

  /** Softmax regression by steps of one length, from zero on: slow, and nothing but the definition. */
  function bySteps(steps: number, rate: number, penalty: number) {
    const n = X.length;
    const weights = [0, 1].map(() => new Float64Array(4));
    const probabilities = (row: readonly number[]) => {
      const scores = weights.map((w) =>
        row.reduce((sum, value, a) => sum + value * (w[a] as number), w[3] as number),
      );
      const sum = scores.reduce((total, score) => total + Math.exp(score), 0);
      return scores.map((score) => Math.exp(score) / sum);
    };
    for (let step = 0; step < steps; step++) {
      const slopes = weights.map((w) => w.map((value, a) => (a < 3 ? penalty * value : 0)));
      X.forEach((row, i) => {
        probabilities(row).forEach((rng, c) => {
          const pull = (rng - Number(y[i] === c)) / n;
          const slope = slopes[c] as Float64Array;
          [...row, 1].forEach((value, a) => {
            slope[a] = (slope[a] as number) + pull * value;
          });
        });
      });
      weights.forEach((w, c) => {
        w.forEach((value, a) => {
          w[a] = value - rate * ((slopes[c] as Float64Array)[a] as number);
        });
      });
    }
    const nll =
      X.reduce((sum, row, i) => sum - Math.log(probabilities(row)[y[i] as number] as number), 0) / n;
    return { weights, nll };
  }

  it('regression by small steps is as worked out by hand, and our solver finds where it ends', () => {
    for (const [steps, { W0, b0, nll }] of [
      [1, lr1],
      [200, lr200],
    ] as const) {
      const found = bySteps(steps, 1, 0);
      [...W0, b0].forEach((wanted, a) => {
        expect(found.weights[0]?.[a]).toBeCloseTo(wanted, 5);
      });
      expect(found.nll).toBeCloseTo(nll, 9);
    }
    const patterns = X.map((row, i) => ({
      present: presentIn(row),
      counts: [Number(y[i] === 0), Number(y[i] === 1)],
    }));
    const ours = fitLogistic(patterns, 3, 2);
    const theirs = bySteps(20_000, 0.5, 1 / X.length);
    ours.weights.forEach((row, c) => {
      row.forEach((value, a) => {
        expect(value).toBeCloseTo(theirs.weights[c]?.[a] as number, 5);
      });
    });
    X.forEach((row, i) => {
      expect(predict(ours, presentIn(row))).toBe(y[i]);
    });
  });

  it('a model that goes by one attribute is explained by it; one that guesses is not', () => {
    const ids = ['round', 'furry', 'wet'];
    const rows = Array.from({ length: 400 }, (_, i) => {
      const attributes = ids.filter((_, a) => ((i * 2654435761) >>> (8 + a)) & 1);
      return {
        attributes,
        isHeldOut: i % 4 === 0,
        followed: attributes.includes('furry') ? 1 : 0,
        guessed: ((i * 40503) >>> 5) & 1,
      };
    });
    const explained = attributeSurrogate(
      rows.map((row) => ({ ...row, predicted: row.followed })),
      ids,
      2,
    );
    if (explained.agreement === null) throw new Error(explained.reason);
    expect(explained.agreement.value).toBe(1);
    expect([explained.learnt, explained.agreement.n, explained.isTriedOnOthers]).toEqual([300, 100, true]);
    const [round, furry, wet] = explained.weights[1] as [number, number, number];
    expect(furry).toBeGreaterThan(10 * Math.max(Math.abs(round), Math.abs(wet)));
    const guessed = attributeSurrogate(
      rows.map((row) => ({ ...row, predicted: row.guessed })),
      ids,
      2,
    );
    if (guessed.agreement === null) throw new Error(guessed.reason);
    expect(guessed.agreement.value).toBeLessThan(0.75);
    expect(
      attributeSurrogate(
        rows.map((row) => ({ ...row, predicted: 1 })),
        ids,
        2,
      ),
    ).toHaveProperty('reason');
  });
});

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
