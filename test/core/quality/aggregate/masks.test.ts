import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { area, difference, emptyMask, equals, fromBitmap, iou, rasterizeBox, union } from '@/lib/core/mask';
import { patternsOf } from '@/lib/core/quality/aggregate/mask-patterns';
import { maskAggregators, pixelMajority, rasa } from '@/lib/core/quality/aggregate/masks';
import { staple } from '@/lib/core/quality/aggregate/staple';

const box = (x: number, y: number, width: number, height: number) =>
  rasterizeBox([x, y, width, height], 40, 60);

const truth = box(10, 10, 20, 20);
const near = box(11, 10, 20, 20);
const tight = box(11, 11, 18, 18);
const wild = box(30, 0, 30, 10);

describe('patterns', () => {
  it('count the pixels by who drew them', () => {
    const { pixels } = patternsOf([box(0, 0, 4, 4), box(2, 0, 4, 4)]);
    expect(Object.fromEntries(pixels)).toEqual({ 1: 8, 2: 8, 3: 8 });
  });

  it('add up to the areas of the drawings', () => {
    const mask = fc
      .array(fc.integer({ min: 0, max: 1 }), { minLength: 35, maxLength: 35 })
      .map((bits) => fromBitmap(Uint8Array.from(bits), 5, 7));
    fc.assert(
      fc.property(fc.array(mask, { minLength: 1, maxLength: 5 }), (masks) => {
        const { pixels } = patternsOf(masks);
        masks.forEach((drawing, w) => {
          const sum = [...pixels].reduce((all, [who, count]) => all + ((who >> w) & 1 ? count : 0), 0);
          expect(sum).toBe(area(drawing));
        });
      }),
    );
  });
});

describe.each(maskAggregators)('$name', ({ aggregate }) => {
  it('keeps a drawing that everybody made', () => {
    expect(equals(aggregate([truth, truth, truth]).mask, truth)).toBe(true);
  });

  it('keeps the only drawing', () => {
    expect(equals(aggregate([truth]).mask, truth)).toBe(true);
  });

  it('of nothing makes nothing', () => {
    const nothing = emptyMask(40, 60);
    const { mask, weight } = aggregate([nothing, nothing]);
    expect(area(mask)).toBe(0);
    for (const value of weight ?? []) expect(Number.isFinite(value)).toBe(true);
  });

  it('is not led astray by one of four', () => {
    expect(iou(aggregate([truth, near, tight, wild]).mask, truth)).toBeGreaterThan(0.85);
  });

  it('never labels a pixel that nobody drew', () => {
    const masks = [truth, near, wild];
    const all = masks.reduce(union);
    expect(area(difference(aggregate(masks).mask, all))).toBe(0);
  });

  it('refuses drawings of different sizes', () => {
    expect(() => aggregate([truth, emptyMask(10, 10)])).toThrow(/do not go together/);
  });
});

describe('by hand', () => {
  it('pixel majority keeps what two of three drew', () => {
    const masks = [box(0, 0, 4, 1), box(2, 0, 4, 1), box(3, 0, 1, 1)];
    expect(equals(pixelMajority(masks).mask, box(2, 0, 2, 1))).toBe(true);
  });

  it('STAPLE finds who draws too much and who too little', () => {
    const fat = box(8, 8, 24, 24);
    const { sensitivity, specificity } = staple([truth, truth, tight, fat]);
    expect(sensitivity[2]).toBeLessThan(0.9);
    expect(specificity[2]).toBeGreaterThan(0.99);
    expect(sensitivity[3]).toBeGreaterThan(0.99);
    expect(specificity[3]).toBeLessThan(specificity[0] as number);
  });

  it('RASA lets nobody count more than three times as much as another', () => {
    const { weight } = rasa([truth, truth, wild]);
    const values = Array.from(weight as Float64Array);
    expect(Math.max(...values) / Math.min(...values)).toBeCloseTo(3, 9);
  });
});
