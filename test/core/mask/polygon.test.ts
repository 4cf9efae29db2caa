import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  area,
  boundingBox,
  encodeCounts,
  equals,
  fullMask,
  MAX_COORDINATE,
  rasterizeBox,
  rasterizePolygons,
  rasterizePolygonWithHoles,
  toCounts,
} from '@/lib/core/mask';
import { chooseKernel } from '@/lib/core/mask/kernel';
import { anySize, drawing, initialKernel, kernels } from './arbitrary';

type Vector = [
  name: string,
  ring: number[],
  height: number,
  width: number,
  counts: number[],
  string: string,
  box: number[],
];

/** Answers of the COCO C code. */
const VECTORS: Vector[] = [
  ['a unit square', [0, 0, 1, 0, 1, 1, 0, 1], 4, 4, [0, 1, 15], '01?', [0, 0, 1, 1]],
  ['a square of four', [1, 1, 3, 1, 3, 3, 1, 3], 5, 6, [6, 2, 3, 2, 17], '6230>', [1, 1, 2, 2]],
  ['half pixels', [1.5, 1.5, 3.5, 1.5, 3.5, 3.5, 1.5, 3.5], 6, 6, [14, 2, 4, 2, 14], '>240:', [2, 2, 2, 2]],
  [
    'a triangle',
    [0, 0, 9, 0, 0, 9],
    10,
    10,
    [0, 8, 2, 7, 3, 6, 4, 5, 5, 4, 6, 3, 7, 2, 8, 1, 29],
    '082O1O1O1O1O1O1Oe0',
    [0, 0, 8, 8],
  ],
  [
    'a diamond',
    [5, 0, 10, 5, 5, 10, 0, 5],
    11,
    11,
    [4, 1, 9, 3, 7, 5, 5, 7, 3, 9, 2, 9, 3, 7, 5, 5, 7, 3, 9, 1, 17],
    '4192N2N2N2O01N2N2N2N8',
    [0, 0, 10, 9],
  ],
  [
    'outside the canvas',
    [-3, -2, 4, -2, 4, 3, -3, 3],
    6,
    6,
    [0, 3, 3, 3, 3, 3, 3, 3, 15],
    '03300000<',
    [0, 0, 4, 3],
  ],
  ['the whole canvas', [0, 0, 6, 0, 6, 6, 0, 6], 6, 6, [0, 36], '0T1', [0, 0, 6, 6]],
  [
    'a bow-tie',
    [0, 0, 8, 8, 8, 0, 0, 8],
    9,
    9,
    [0, 7, 3, 5, 5, 3, 7, 1, 8, 1, 7, 3, 5, 5, 3, 7, 11],
    '073N2N2N10O2N2N28',
    [0, 0, 8, 7],
  ],
  [
    'fractions',
    [10.25, 3.4, 17.9, 5.05, 14.3, 15.75, 9.1, 12.2],
    20,
    24,
    [189, 3, 11, 10, 11, 10, 10, 10, 10, 11, 9, 11, 9, 8, 13, 4, 16, 1, 134],
    'm53;700O001O00M4L3Mf3',
    [9, 3, 9, 12],
  ],
  ['a sliver', [2, 2, 2, 8, 2.2, 8, 2.2, 2], 10, 10, [100], 'T3', [0, 0, 0, 0]],
];

describe.each(kernels)('rasterising polygons by the $name path', (path) => {
  beforeAll(() => chooseKernel(path));
  afterAll(() => chooseKernel(initialKernel));

  it.each(VECTORS)('gives %s the runs that COCO gives it', (_, ring, height, width, counts, string, box) => {
    const mask = rasterizePolygons([ring], height, width);
    expect(toCounts(mask)).toEqual(counts);
    expect(encodeCounts(mask)).toBe(string);
    expect(boundingBox(mask)).toEqual(box);
    expect(area(mask)).toBe(counts.reduce((sum, n, i) => sum + (i % 2 ? n : 0), 0));
  });

  it('does not care where a ring starts or which way it runs', () => {
    const coordinate = fc.integer({ min: -300, max: 600 }).map((n) => n / 10);
    const points = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(points, anySize, fc.nat(), (ring, { height, width }, turn) => {
        const start = turn % ring.length;
        const turned = [...ring.slice(start), ...ring.slice(0, start)];
        const mask = rasterizePolygons([ring.flat()], height, width);
        expect(equals(rasterizePolygons([turned.flat()], height, width), mask)).toBe(true);
        expect(equals(rasterizePolygons([turned.reverse().flat()], height, width), mask)).toBe(true);
      }),
    );
  });

  it('handles coordinates up to the limit without walking them', () => {
    const far = MAX_COORDINATE;
    const around = rasterizePolygons([[-far, -far, far, -far, far, far, -far, far]], 7, 9);
    expect(equals(around, fullMask(7, 9))).toBe(true);
    const diagonal = rasterizePolygons([[-far, -far, far, far, -far, far]], 50, 50);
    expect(area(diagonal)).toBe((50 * 51) / 2);
  });
});

describe('polygons', () => {
  it('are united when there are several', () => {
    const mask = rasterizePolygons(
      [
        [0, 0, 2, 0, 2, 2, 0, 2],
        [1, 1, 4, 1, 4, 3, 1, 3],
      ],
      3,
      5,
    );
    expect(drawing(mask)).toEqual(['##...', '####.', '.###.']);
  });

  it('lose the area of their holes', () => {
    const mask = rasterizePolygonWithHoles([0, 0, 5, 0, 5, 4, 0, 4], [[1, 1, 4, 1, 4, 3, 1, 3]], 4, 5);
    expect(drawing(mask)).toEqual(['#####', '#...#', '#...#', '#####']);
  });

  it('include boxes, by the same rule', () => {
    expect(encodeCounts(rasterizeBox([1, 1, 2, 2], 5, 6))).toBe('6230>');
  });

  it.each([
    ['two points', [0, 0, 1, 1], 'too-few-points', 'polygons[0]'],
    ['an odd number of values', [0, 0, 1, 1, 2, 2, 3], 'bad-coordinate', 'polygons[0]'],
    ['a NaN', [0, 0, 1, Number.NaN, 2, 2], 'bad-coordinate', 'polygons[0][3]'],
    ['an infinite coordinate', [0, 0, 1, 1, Number.POSITIVE_INFINITY, 2], 'bad-coordinate', 'polygons[0][4]'],
    ['a coordinate over the limit', [0, 0, 1, 1, -1e9, 2], 'bad-coordinate', 'polygons[0][4]'],
  ])('are refused with %s, and the error says where', (_, ring, code, where) => {
    expect(() => rasterizePolygons([ring], 4, 4)).toThrow(expect.objectContaining({ code, where }));
  });

  it('are refused when there are none', () => {
    expect(() => rasterizePolygons([], 4, 4)).toThrow(expect.objectContaining({ code: 'too-few-points' }));
  });

  it.each([
    [0, 5, 'bad-size'],
    [5, 2.5, 'bad-size'],
    [Number.NaN, 5, 'bad-size'],
    [70_000, 1, 'size-limit'],
    [60_000, 60_000, 'size-limit'],
  ])('are refused on a canvas of %s × %s', (height, width, code) => {
    expect(() => rasterizePolygons([[0, 0, 1, 0, 1, 1]], height, width)).toThrow(
      expect.objectContaining({ code }),
    );
  });
});
