import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  area,
  crop,
  encodeCounts,
  equals,
  flipHorizontal,
  flipVertical,
  pad,
  rasterizeInstances,
  rasterizeShapes,
  rasterizeStroke,
  type Shape,
  scale,
  translate,
} from '@/lib/core/mask';
import { anyMask, anySize, drawing, drawn, paint, pixels } from './arbitrary';

describe('a stroke', () => {
  it('covers the pixels whose centre lies within its radius of the line', () => {
    const coordinate = fc.integer({ min: -80, max: 240 }).map((n) => n / 8);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 60 }).map((n) => n / 8),
        (points, radius) => {
          const mask = rasterizeStroke(points.flat(), radius, 20, 20);
          const segments = points.map((p, i) => [p, points[i + 1] ?? p] as const);
          // Rounding decides about a centre that lies exactly on the border.
          const gap = (x: number, y: number) =>
            Math.min(...segments.map(([a, b]) => distance(x + 0.5, y + 0.5, a, b))) - radius;
          const isOn = pixels(mask);
          for (let y = 0; y < 20; y++)
            for (let x = 0; x < 20; x++)
              if (Math.abs(gap(x, y)) > 1e-9) expect(isOn(x, y), `${x}, ${y}`).toBe(gap(x, y) < 0);
        },
      ),
    );
  });

  it('of one point is a disc', () => {
    expect(drawing(rasterizeStroke([2, 2], 1.6, 4, 4))).toEqual(['.##.', '####', '####', '.##.']);
  });

  it('of ten thousand points is drawn like any other', () => {
    const path = Array.from({ length: 20_000 }, (_, i) => (i % 2 ? 100 + 50 * Math.sin(i / 900) : i / 100));
    expect(area(rasterizeStroke(path, 3, 200, 200))).toBeGreaterThan(1000);
  });

  it.each([
    ['no point', [], 2, 'too-few-points'],
    ['half a point', [1, 2, 3], 2, 'bad-coordinate'],
    ['a NaN', [1, Number.NaN], 2, 'bad-coordinate'],
    ['no radius', [1, 1], 0, 'bad-argument'],
    ['an infinite radius', [1, 1], Number.POSITIVE_INFINITY, 'bad-argument'],
  ])('is refused with %s', (_, path, radius, code) => {
    expect(() => rasterizeStroke(path, radius, 4, 4)).toThrow(expect.objectContaining({ code }));
  });
});

function distance(x: number, y: number, a: readonly number[], b: readonly number[]): number {
  const [ax = 0, ay = 0] = a;
  const [bx = 0, by = 0] = b;
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = length === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length;
  const t = Math.min(1, Math.max(0, along));
  return Math.sqrt((x - ax - t * (bx - ax)) ** 2 + (y - ay - t * (by - ay)) ** 2);
}

describe('a drawing', () => {
  const square: Shape = { kind: 'polygon', op: 'add', outer: [0, 0, 5, 0, 5, 5, 0, 5], holes: [] };
  const rubber: Shape = { kind: 'stroke', op: 'erase', points: [0, 2.5, 5, 2.5], radius: 0.6 };

  it('is its shapes replayed in order', () => {
    expect(drawing(rasterizeShapes([square, rubber], 5, 6))).toEqual([
      '#####.',
      '#####.',
      '......',
      '#####.',
      '#####.',
    ]);
    expect(equals(rasterizeShapes([rubber, square], 5, 6), rasterizeShapes([square], 5, 6))).toBe(true);
  });

  it('undoes a step by leaving it out', () => {
    const ring: Shape = { ...square, holes: [[1, 1, 4, 1, 4, 4, 1, 4]] };
    expect(area(rasterizeShapes([ring], 5, 6))).toBe(16);
    expect(area(rasterizeShapes([], 5, 6))).toBe(0);
  });

  it('takes bitmaps from an import or an assist', () => {
    const assist = drawn('..##', '..##');
    const shape: Shape = { kind: 'bitmap', op: 'add', size: [2, 4], counts: encodeCounts(assist) };
    expect(equals(rasterizeShapes([shape], 2, 4), assist)).toBe(true);
  });

  it('names the shape that is wrong', () => {
    const broken: Shape = { ...square, outer: [0, 0, 1, Number.NaN, 2, 2] };
    expect(() => rasterizeShapes([square, broken], 5, 6)).toThrow(
      expect.objectContaining({ code: 'bad-coordinate', where: 'shapes[1].outer[3]' }),
    );
    const misfit: Shape = { kind: 'bitmap', op: 'add', size: [2, 4], counts: '8' };
    expect(() => rasterizeShapes([misfit], 5, 6)).toThrow(
      expect.objectContaining({ code: 'size-mismatch', where: 'shapes[0].size' }),
    );
    const unknown = { kind: 'spline', op: 'add' } as unknown as Shape;
    expect(() => rasterizeShapes([unknown], 5, 6)).toThrow(
      expect.objectContaining({ code: 'bad-shape', where: 'shapes[0].kind' }),
    );
  });
});

describe('moving masks about', () => {
  it('translates by whole pixels and loses what leaves the canvas', () => {
    const offset = fc.integer({ min: -30, max: 30 });
    fc.assert(
      fc.property(anyMask, offset, offset, (mask, dx, dy) => {
        const on = pixels(mask);
        const expected = paint(mask.height, mask.width, (x, y) => on(x - dx, y - dy));
        expect(drawing(translate(mask, dx, dy))).toEqual(drawing(expected));
      }),
    );
  });

  it('flips', () => {
    expect(drawing(flipHorizontal(drawn('#..', '##.')))).toEqual(['..#', '.##']);
    expect(drawing(flipVertical(drawn('#..', '##.')))).toEqual(['##.', '#..']);
    fc.assert(
      fc.property(anyMask, (mask) => {
        expect(equals(flipHorizontal(flipHorizontal(mask)), mask)).toBe(true);
        expect(equals(flipVertical(flipVertical(mask)), mask)).toBe(true);
      }),
    );
  });

  it('pads and crops back', () => {
    const side = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(
        anyMask,
        fc.record({ top: side, right: side, bottom: side, left: side }),
        (mask, padding) => {
          const padded = pad(mask, padding);
          expect(padded.height).toBe(mask.height + padding.top + padding.bottom);
          const back = crop(padded, [padding.left, padding.top, mask.width, mask.height]);
          expect(equals(back, mask)).toBe(true);
        },
      ),
    );
  });

  it('scales to the old pixel under each new centre', () => {
    fc.assert(
      fc.property(anyMask, anySize, (mask, { height, width }) => {
        const on = pixels(mask);
        const nearest = (i: number, from: number, to: number) => Math.floor(((2 * i + 1) * from) / (2 * to));
        const expected = paint(height, width, (x, y) =>
          on(nearest(x, mask.width, width), nearest(y, mask.height, height)),
        );
        expect(drawing(scale(mask, height, width))).toEqual(drawing(expected));
      }),
    );
  });

  it.each([
    ['a crop beyond the canvas', () => crop(drawn('##'), [1, 0, 2, 1])],
    ['a crop of half a pixel', () => crop(drawn('##'), [0.5, 0, 1, 1])],
    ['negative padding', () => pad(drawn('##'), { top: -1, right: 0, bottom: 0, left: 0 })],
    ['a move by half a pixel', () => translate(drawn('##'), 0.5, 0)],
  ])('refuses %s', (_, move) => {
    expect(move).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });
});

it('instances whose runs together would exhaust the memory are refused, and one mask as large is not', () => {
  // Every second pixel.
  const toggles = Uint32Array.from({ length: 800 }, (_, i) => i + 1);
  const counts = encodeCounts({ height: 20, width: 40, toggles });
  const first: Shape = { kind: 'bitmap', op: 'add', size: [20, 40], counts };
  const second: Shape = { ...first, instance: 2 };
  const maxRuns = 1000;
  expect(rasterizeInstances([first, first], 20, 40, { maxRuns })).toHaveLength(1);
  expect(() => rasterizeInstances([first, second], 20, 40, { maxRuns })).toThrow(/too many small pieces/);
  expect(rasterizeInstances([first, second], 20, 40)).toHaveLength(2);
});
