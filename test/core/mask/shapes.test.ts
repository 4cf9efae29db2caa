import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { area, encodeCounts, equals, rasterizeShapes, rasterizeStroke, type Shape } from '@/lib/core/mask';
import { drawing, drawn, pixels } from './arbitrary';

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
