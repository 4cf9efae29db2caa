import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  area,
  difference,
  emptyMask,
  equals,
  exclusive,
  fullMask,
  intersection,
  invert,
  type Mask,
  merge,
  rasterizeStroke,
  union,
} from '@/lib/core/mask';
import { chooseKernel } from '@/lib/core/mask/kernel';
import { anyPair, drawing, drawn, initialKernel, kernels, masksOfOneSize, paint, pixels } from './arbitrary';

const same = (a: Mask, b: Mask) => expect(drawing(a)).toEqual(drawing(b));

describe.each(kernels)('mask algebra by the $name path', (path) => {
  beforeAll(() => chooseKernel(path));
  afterAll(() => chooseKernel(initialKernel));

  it('does pixel by pixel what its name says', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const [inA, inB] = [pixels(a), pixels(b)];
        const by = (rule: (p: boolean, q: boolean) => boolean) =>
          paint(a.height, a.width, (x, y) => rule(inA(x, y), inB(x, y)));
        same(
          union(a, b),
          by((p, q) => p || q),
        );
        same(
          intersection(a, b),
          by((p, q) => p && q),
        );
        same(
          difference(a, b),
          by((p, q) => p && !q),
        );
        same(
          exclusive(a, b),
          by((p, q) => p !== q),
        );
        same(
          invert(a),
          by((p) => !p),
        );
      }),
    );
  });

  it('keeps equal masks equal in their runs, whatever way they were made', () => {
    fc.assert(
      fc.property(masksOfOneSize(3), (masks) => {
        const [a, b, c] = masks as [Mask, Mask, Mask];
        const none = emptyMask(a.height, a.width);
        const all = fullMask(a.height, a.width);
        const laws: [Mask, Mask][] = [
          [union(a, b), union(b, a)],
          [intersection(a, b), intersection(b, a)],
          [union(union(a, b), c), union(a, union(b, c))],
          [intersection(a, union(b, c)), union(intersection(a, b), intersection(a, c))],
          [invert(union(a, b)), intersection(invert(a), invert(b))],
          [difference(a, b), intersection(a, invert(b))],
          [exclusive(a, b), difference(union(a, b), intersection(a, b))],
          [invert(invert(a)), a],
          [union(a, none), a],
          [intersection(a, all), a],
          [union(a, a), a],
          [merge([a, b, c]), union(a, union(b, c))],
        ];
        laws.forEach(([left, right], law) => {
          expect(equals(left, right), `law ${law}`).toBe(true);
        });
        expect(area(union(a, b)) + area(intersection(a, b))).toBe(area(a) + area(b));
      }),
    );
  });

  it('holds for masks with enough runs to be walked from two ends', () => {
    const stripes = paint(64, 64, (x, y) => (x + y) % 3 === 0);
    const disc = rasterizeStroke([30, 30], 25, 64, 64);
    const [inStripes, inDisc] = [pixels(stripes), pixels(disc)];
    for (const [a, b] of [
      [stripes, disc],
      [disc, stripes],
    ] as const) {
      same(
        union(a, b),
        paint(64, 64, (x, y) => inStripes(x, y) || inDisc(x, y)),
      );
      same(
        intersection(a, b),
        paint(64, 64, (x, y) => inStripes(x, y) && inDisc(x, y)),
      );
    }
  });
});

describe('mask algebra', () => {
  it('refuses masks of different sizes', () => {
    expect(() => union(drawn('##'), drawn('#', '#'))).toThrow(
      expect.objectContaining({ code: 'size-mismatch' }),
    );
  });

  it('refuses to merge nothing', () => {
    expect(() => merge([])).toThrow(expect.objectContaining({ code: 'no-masks' }));
  });
});
