import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  area,
  atLeast,
  boundaryFScore,
  boundaryIou,
  boundingBox,
  cocoIou,
  dice,
  emptyMask,
  fairIou,
  fullMask,
  hausdorff95,
  intersection,
  iou,
  iouMatrix,
  type Mask,
  MaskBatch,
  precision,
  rasterizeBox,
  rasterizeStroke,
  recall,
  sizeAwareScore,
  translate,
  union,
  voteMap,
} from '@/lib/core/mask';
import { chooseKernel } from '@/lib/core/mask/kernel';
import { anyPair, drawing, drawn, initialKernel, kernels, masksOfOneSize, paint, pixels } from './arbitrary';

describe.each(kernels)('overlap by the $name path', (path) => {
  beforeAll(() => chooseKernel(path));
  afterAll(() => chooseKernel(initialKernel));

  it('is symmetric, lies in [0, 1], and is intersection over union', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const either = area(union(a, b));
        expect(iou(a, b)).toBe(either === 0 ? 1 : area(intersection(a, b)) / either);
        expect(iou(b, a)).toBe(iou(a, b));
        expect(iou(a, a)).toBe(1);
        const d = dice(a, b);
        expect(d).toBeCloseTo((2 * iou(a, b)) / (1 + iou(a, b)), 12);
        for (const score of [iou(a, b), d, precision(a, b), recall(a, b)]) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('is COCO’s for two shifted squares, also in the crowd form', () => {
    const a = rasterizeBox([0, 0, 6, 6], 10, 10);
    const b = rasterizeBox([3, 3, 6, 6], 10, 10);
    expect(iou(a, b)).toBeCloseTo(0.142857, 6);
    expect(cocoIou(a, b, true)).toBe(0.25);
    expect(precision(a, b)).toBe(0.25);
    expect(recall(a, b)).toBe(0.25);
  });

  it('of all pairs is the overlap of each pair', () => {
    fc.assert(
      fc.property(
        masksOfOneSize(7),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        (masks, crowd) => {
          const answers = masks.slice(0, 3);
          const truths = masks.slice(3);
          const expected = answers.flatMap((a) => truths.map((b, j) => cocoIou(a, b, crowd[j])));
          expect(Array.from(iouMatrix(answers, truths, crowd))).toEqual(expected);
          expect(Array.from(iouMatrix(answers, truths))).toEqual(
            answers.flatMap((a) => truths.map((b) => cocoIou(a, b))),
          );
        },
      ),
    );
    expect(iouMatrix([], [])).toHaveLength(0);
  });

  it('of a batch is that of its masks, as are areas and boxes', () => {
    fc.assert(
      fc.property(masksOfOneSize(4), (masks) => {
        const batch = new MaskBatch(masks);
        expect(Array.from(batch.areas())).toEqual(masks.map(area));
        expect(Array.from(batch.boxes())).toEqual(masks.flatMap((mask) => boundingBox(mask)));
        masks.forEach((a, i) => {
          masks.forEach((b, j) => {
            expect(batch.iou(i, j)).toBe(cocoIou(a, b));
            expect(batch.iou(i, j, true)).toBe(cocoIou(a, b, true));
          });
        });
      }),
    );
    const one = new MaskBatch([drawn('#')]);
    expect(() => one.iou(0, 1)).toThrow(expect.objectContaining({ code: 'bad-argument', where: 'masks[1]' }));
  });
});

describe('comparing with nothing', () => {
  const none = emptyMask(8, 8);
  const all = fullMask(8, 8);

  it('has a stated answer for two empty masks', () => {
    expect([iou, dice, precision, recall, boundaryIou].map((score) => score(none, none))).toEqual([
      1, 1, 1, 1, 1,
    ]);
    expect(boundaryFScore(none, none, 1)).toBe(1);
    expect(hausdorff95(none, none)).toBe(0);
    expect(sizeAwareScore(none, none)).toBe(1);
    expect(cocoIou(none, none)).toBe(0);
  });

  it('has a stated answer for an empty and a full mask', () => {
    expect([iou, dice, boundaryIou].map((score) => score(none, all))).toEqual([0, 0, 0]);
    expect([precision(none, all), recall(none, all)]).toEqual([1, 0]);
    expect([precision(all, none), recall(all, none)]).toEqual([0, 1]);
    expect(boundaryFScore(none, all, 1)).toBe(0);
    expect(hausdorff95(none, all)).toBeCloseTo(Math.hypot(8, 8));
    expect([sizeAwareScore(none, all), sizeAwareScore(all, none)]).toEqual([0, 0]);
  });

  it('refuses masks of different sizes in every comparison', () => {
    const wide = emptyMask(8, 9);
    const comparisons: ((a: Mask, b: Mask) => unknown)[] = [
      iou,
      dice,
      precision,
      recall,
      cocoIou,
      boundaryIou,
      hausdorff95,
      sizeAwareScore,
      (a, b) => boundaryFScore(a, b, 1),
      (a, b) => iouMatrix([a], [b]),
      (a, b) => new MaskBatch([a, b]),
      (a, b) => voteMap([a, b]),
    ];
    for (const compare of comparisons)
      expect(() => compare(none, wide)).toThrow(expect.objectContaining({ code: 'size-mismatch' }));
  });
});

describe('borders', () => {
  const disc = rasterizeStroke([32, 32], 20, 64, 64);

  it('agree fully with themselves', () => {
    expect(boundaryIou(disc, disc)).toBe(1);
    expect(boundaryFScore(disc, disc, 0)).toBe(1);
    expect(hausdorff95(disc, disc)).toBe(0);
  });

  it('are forgiven a shift within the tolerance', () => {
    expect(boundaryFScore(translate(disc, 2, 0), disc, 2)).toBe(1);
    expect(boundaryFScore(translate(disc, 2, 0), disc, 1)).toBeLessThan(0.9);
  });

  it('tell a hole that IoU hardly sees', () => {
    const holed = paint(64, 64, (x, y) => pixels(disc)(x, y) && (x - 32) ** 2 + (y - 32) ** 2 > 16);
    expect(iou(holed, disc)).toBeGreaterThan(0.95);
    expect(boundaryIou(holed, disc, 1)).toBeLessThan(0.9);
    expect(() => boundaryIou(disc, disc, 0)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });

  it('lie as far apart as every pair of border pixels says', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        if (area(a) === 0 || area(b) === 0) return;
        expect(hausdorff95(a, b)).toBeCloseTo(Math.max(directed(a, b), directed(b, a)), 9);
      }),
    );
  });
});

/** All pairs, and NumPy's linear percentile. */
function directed(from: Mask, to: Mask): number {
  const targets = borderOf(to);
  const nearest = borderOf(from)
    .map(([x, y]) => Math.min(...targets.map(([u, v]) => Math.hypot(x - u, y - v))))
    .sort((p, q) => p - q);
  const rank = 0.95 * (nearest.length - 1);
  const below = nearest[Math.floor(rank)] as number;
  return below + ((nearest[Math.ceil(rank)] as number) - below) * (rank - Math.floor(rank));
}

function borderOf(mask: Mask): [number, number][] {
  const on = pixels(mask);
  const found: [number, number][] = [];
  for (let x = 0; x < mask.width; x++)
    for (let y = 0; y < mask.height; y++)
      if (on(x, y) && !(on(x - 1, y) && on(x + 1, y) && on(x, y - 1) && on(x, y + 1))) found.push([x, y]);
  return found;
}

describe('the size-aware score', () => {
  const disc = (radius: number) => rasterizeStroke([100, 100], radius, 200, 200);

  it('lets a drawing two pixels too fat reach the bar at every size, where plain IoU does not', () => {
    // Radius and the IoU of a careful drawing.
    for (const [radius, plain] of [
      [4, 0.45],
      [8, 0.64],
      [16, 0.79],
      [64, 0.94],
    ] as const) {
      const answer = disc(radius + 2);
      expect(iou(answer, disc(radius))).toBeCloseTo(plain, 1);
      expect(sizeAwareScore(answer, disc(radius))).toBeGreaterThanOrEqual(0.7);
    }
  });

  it('is plain IoU for large parts, and never above 1 or below plain IoU', () => {
    expect(sizeAwareScore(disc(50), disc(64))).toBe(iou(disc(50), disc(64)));
    for (let radius = 2; radius < 12; radius++) {
      const score = sizeAwareScore(disc(radius), disc(5));
      expect(score).toBeGreaterThanOrEqual(iou(disc(radius), disc(5)));
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  it('still fails a careless drawing of a small part', () => {
    expect(sizeAwareScore(translate(disc(4), 5, 0), disc(4))).toBeLessThan(0.7);
    expect(sizeAwareScore(emptyMask(200, 200), disc(4))).toBe(0);
    expect(fairIou(disc(4), 2)).toBeLessThan(0.5);
  });

  it('refuses a bar that is no share', () => {
    expect(() => sizeAwareScore(disc(4), disc(4), { bar: 1, tolerance: 2 })).toThrow(
      expect.objectContaining({ code: 'bad-argument', where: 'rule.bar' }),
    );
  });
});

describe('a vote', () => {
  it('counts the masks over each pixel', () => {
    const masks = [drawn('##.', '#..'), drawn('#..', '.#.'), drawn('#.#', '#..')];
    expect(Array.from(voteMap(masks))).toEqual([3, 1, 1, 2, 1, 0]);
    expect(drawing(atLeast(masks, 2))).toEqual(['#..', '#..']);
    expect(drawing(atLeast(masks, 0))).toEqual(['###', '###']);
    expect(() => voteMap([])).toThrow(expect.objectContaining({ code: 'no-masks' }));
  });
});
