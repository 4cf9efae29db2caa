import { describe, expect, it } from 'vitest';
import { largestComponent, regionArea } from '@/lib/core/robustness/picture';
import { createFourierTransform, spectralComplexity } from '@/lib/core/robustness/pixels/texture';
import { createRng } from '@/lib/core/robustness/random';
import { moveRegion, rotateAbout } from '@/lib/core/robustness/variants/affine';
import {
  directionEdit,
  flipEdit,
  isNearRate,
  pasteBack,
  positionEdit,
  positionGrid,
  roomFor,
  scaleFor,
  sizeEdit,
} from '@/lib/core/robustness/variants/edits';
import vectors from '@/test/fixtures/evaluation-vectors.json' with { type: 'json' };
import {
  alone,
  anyPicture,
  applied,
  box,
  ellipse,
  isObject,
  onGray,
  pictureOf,
  region,
  SIDE,
  sampleOf,
  where,
} from './samples';

const hard = { feather: 0 } as const;

describe('objects that are moved, scaled and turned', () => {
  it('the numbers worked out by hand', () => {
    for (const [rate, target, scale] of vectors.size as [number, number, number][])
      expect(scaleFor(rate, target)).toBeCloseTo(scale, 12);
    expect([0.052, 0.063, 0.066].map((rate) => isNearRate(rate, 0.05))).toEqual([true, true, false]);
    expect(scaleFor(0.066, 0.05)).toBeCloseTo(0.870388, 6);
    expect(roomFor({ width: 8, height: 8, box: { x: 1, y: 1, width: 3, height: 2 } })).toEqual({
      x: 5,
      y: 6,
    });
    const turned = moveRegion(
      region([
        [1, 1, 0],
        [0, 1, 0],
        [0, 0, 0],
      ]),
      3,
      rotateAbout(90, [1, 1]),
    );
    expect(turned).toEqual(
      region([
        [0, 0, 0],
        [1, 1, 0],
        [1, 0, 0],
      ]),
    );
  });

  it('laid back where it was, with a hard edge, the picture is as before', async () => {
    const sample = sampleOf('s', anyPicture(SIDE, SIDE, createRng('back')), ellipse(SIDE, SIDE));
    expect((await pictureOf(pasteBack(hard), sample, alone)).data).toEqual(sample.picture.data);
    // A soft edge leaves its trace near the outline only.
    const soft = await pictureOf(pasteBack({ feather: 1 }), sample, alone);
    expect(soft.data[0]).toBe(sample.picture.data[0]);
    expect(soft.data).not.toEqual(sample.picture.data);
  });

  it('the object covers the share that was asked for, and the hole is closed', async () => {
    const sample = onGray(box(8, 10, 16, 12));
    for (const level of [0.1, 0.08, 0.05]) {
      const outcome = await applied(sizeEdit([level], hard), sample, alone);
      if ('invalid' in outcome) throw new Error(outcome.invalid);
      expect(outcome.extra?.rate).toBeCloseTo(level, 1.9);
      expect(regionArea(where(outcome.picture, isObject)) / SIDE ** 2).toBeCloseTo(level, 1.9);
      expect(outcome.extra?.scale).toBeCloseTo(Math.sqrt(level / ((16 * 12) / SIDE ** 2)), 9);
    }
    const full = await pictureOf(sizeEdit(['full'], hard), sample, alone);
    // Twice as large: the box of 16 × 12 is as wide as the frame.
    expect(regionArea(where(full, isObject))).toBe(32 * 24);
  });

  it('an object that would leave the frame, or is cut off by it, is left out', async () => {
    const corner = onGray(box(27, 27, 4, 4));
    expect(await applied(sizeEdit([0.2], hard), corner, alone)).toEqual({ invalid: 'out-of-frame' });
    const cut = onGray(box(28, 10, 4, 4));
    for (const variant of [positionEdit(), positionGrid(), directionEdit(), flipEdit()])
      expect(await applied(variant, cut, alone)).toEqual({ invalid: 'truncated' });
    const shrunk = await applied(sizeEdit([0.01], hard), cut, alone);
    expect(shrunk).toHaveProperty('extra.isTruncated', 1);
    // A stick would fill the frame long before it covers half of it.
    const stick = await applied(sizeEdit([0.5], hard), onGray(box(4, 15, 24, 2)), alone);
    expect(stick).toHaveProperty('extra.isClamped', 1);
  });

  it('positions are within the frame, on a grid of nine in its corners, and by chance everywhere', async () => {
    const sample = onGray(box(5, 6, 6, 4));
    const grid = positionGrid(hard);
    const corners = new Set<string>();
    for (const cell of grid.cells) {
      const outcome = await applied(grid, sample, alone, cell);
      if ('invalid' in outcome) throw new Error(outcome.invalid);
      const { x, y } = outcome.extra as { x: number; y: number };
      corners.add(`${x} ${y}`);
      expect(where(outcome.picture, isObject)).toEqual(box(x, y, 6, 4));
    }
    expect([...corners]).toEqual(['0 0', '13 0', '26 0', '0 14', '13 14', '26 14', '0 28', '13 28', '26 28']);
    const random = positionEdit(60, hard);
    const seen = await Promise.all(random.cells.map((cell) => applied(random, sample, alone, cell)));
    const places = seen.map((outcome) => ('invalid' in outcome ? {} : outcome.extra)) as {
      x: number;
      y: number;
    }[];
    expect(Math.min(...places.map(({ x }) => x))).toBeLessThan(5);
    expect(Math.max(...places.map(({ x }) => x))).toBeGreaterThan(21);
    expect(places.every(({ x, y }) => x >= 0 && x <= 26 && y >= 0 && y <= 28)).toBe(true);
  });

  it('turned by 90° four times, or mirrored twice, an object is where it was', async () => {
    const object = box(10, 12, 9, 5);
    let turned = onGray(object);
    for (let i = 0; i < 4; i++) {
      const picture = await pictureOf(directionEdit([90], hard), turned, alone);
      turned = { ...onGray(where(picture, isObject)), picture };
    }
    expect(turned.object).toEqual(object);
    const notch = object.map((pixel, i) => (i === 12 * SIDE + 10 ? 0 : pixel));
    const once = await pictureOf(flipEdit(hard), onGray(notch), alone);
    expect(where(once, isObject)).not.toEqual(notch);
    const twice = await pictureOf(flipEdit(hard), onGray(where(once, isObject)), alone);
    expect(where(twice, isObject)).toEqual(notch);
  });

  it('of several pieces the largest moves alone, where asked', async () => {
    const [large, small] = [box(10, 10, 6, 6), box(20, 20, 3, 3)];
    const both = large.map((pixel, i) => pixel | (small[i] as number));
    expect(largestComponent(both, SIDE)).toEqual(large);
    const moved = await pictureOf(positionGrid({ ...hard, moves: 'largest' }), onGray(both), alone);
    const expected = box(0, 0, 6, 6).map((pixel, i) => pixel | (small[i] as number));
    expect(where(moved, isObject)).toEqual(expected);
  });
});

describe('waves', () => {
  it('are those of the sum itself, for lines of any length', () => {
    const rng = createRng('waves');
    for (const n of [1, 2, 7, 8, 12, 28, 64]) {
      const [re, im] = [0, 1].map(() => Float64Array.from({ length: n }, () => rng.normal())) as [
        Float64Array,
        Float64Array,
      ];
      const found = createFourierTransform(n)({ re, im });
      for (let k = 0; k < n; k++) {
        let [sumRe, sumIm] = [0, 0];
        for (let i = 0; i < n; i++) {
          const [cos, sin] = [Math.cos((2 * Math.PI * k * i) / n), -Math.sin((2 * Math.PI * k * i) / n)];
          sumRe += cos * (re[i] as number) - sin * (im[i] as number);
          sumIm += cos * (im[i] as number) + sin * (re[i] as number);
        }
        expect(found.re[k]).toBeCloseTo(sumRe, 9);
        expect(found.im[k]).toBeCloseTo(sumIm, 9);
      }
    }
    // Of a flat plane there is one wave: its sum.
    expect(spectralComplexity(new Float64Array(35).fill(0.4), 7, 5)).toBeCloseTo(0.4 / Math.sqrt(35), 12);
  });
});
