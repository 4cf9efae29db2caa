import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRingFault, signedArea } from '@/lib/core/geometry';
import {
  area,
  components,
  difference,
  emptyMask,
  equals,
  fullMask,
  iou,
  type Mask,
  outlinePath,
  rasterizeBox,
  rasterizePolygonWithHoles,
  rasterizeRegions,
  rasterizeStroke,
  simplifiedRegions,
  toRegions,
} from '@/lib/core/mask';
import { chooseKernel } from '@/lib/core/mask/kernel';
import { plainKernel } from '@/lib/core/mask/kernel/plain';
import { anyMask, drawn, initialKernel, kernels } from './arbitrary';

describe.each(kernels)('a mask as rings by the $name path', (path) => {
  beforeAll(() => chooseKernel(path));
  afterAll(() => chooseKernel(initialKernel));

  it('rasterises back to the identical mask, region by region', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        const { height, width } = mask;
        const regions = toRegions(mask);
        expect(equals(rasterizeRegions(regions, height, width), mask)).toBe(true);
        const parts = components(mask, 4);
        expect(regions).toHaveLength(parts.length);
        regions.forEach(({ outer, holes }, i) => {
          expect(equals(rasterizePolygonWithHoles(outer, holes, height, width), parts[i] as Mask)).toBe(true);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('is the same, point by point, by either path', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        expect(path.regions(mask)).toEqual(plainKernel.regions(mask));
      }),
    );
  });

  it('has outer rings clockwise, holes counter-clockwise, and areas that add up', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        let sum = 0;
        for (const { outer, holes } of toRegions(mask)) {
          expect(signedArea(outer)).toBeGreaterThan(0);
          sum += signedArea(outer);
          for (const hole of holes) {
            expect(signedArea(hole)).toBeLessThan(0);
            sum += signedArea(hole);
          }
        }
        expect(sum).toBe(area(mask));
      }),
    );
  });

  it('says which region lies in a hole of which', () => {
    const nested = drawn(
      '#########',
      '#.......#',
      '#.#####.#',
      '#.#...#.#',
      '#.#.#.#.#',
      '#.#...#.#',
      '#.#####.#',
      '#.......#',
      '#########',
    );
    expect(toRegions(nested).map(({ parent, holes }) => [parent, holes.length])).toEqual([
      [null, 1],
      [0, 1],
      [1, 0],
    ]);
    const neighbours = drawn('######.#', '#....#..', '#.##.#.#', '#....#..', '######.#');
    expect(toRegions(neighbours).map(({ parent }) => parent)).toEqual([null, 0, null, null, null]);
  });

  it('keeps pixels that touch at a corner apart', () => {
    expect(toRegions(drawn('#.', '.#'))).toEqual([
      { outer: [0, 0, 1, 0, 1, 1, 0, 1], holes: [], parent: null },
      { outer: [1, 1, 2, 1, 2, 2, 1, 2], holes: [], parent: null },
    ]);
  });

  it('is no ring for an empty mask and the frame for a full one', () => {
    expect(toRegions(emptyMask(3, 4))).toEqual([]);
    expect(toRegions(fullMask(3, 4))).toEqual([{ outer: [0, 0, 4, 0, 4, 3, 0, 3], holes: [], parent: null }]);
    expect(equals(rasterizeRegions([], 3, 4), emptyMask(3, 4))).toBe(true);
  });
});

describe('simplified rings', () => {
  it('never lose more IoU than allowed', () => {
    fc.assert(
      fc.property(anyMask, fc.integer({ min: 0, max: 50 }), (mask, percent) => {
        const simple = simplifiedRegions(mask, percent / 100);
        const back = rasterizeRegions(simple, mask.height, mask.width);
        expect(iou(back, mask)).toBeGreaterThanOrEqual(1 - percent / 100);
      }),
      { numRuns: 60 },
    );
  });

  it('have far fewer points for a small loss, and stay valid on a plain shape', () => {
    const disc = rasterizeStroke([100, 100], 60, 200, 200);
    const exact = toRegions(disc)[0]?.outer.length ?? 0;
    const simple = simplifiedRegions(disc, 0.01)[0]?.outer ?? [];
    expect(simple.length).toBeLessThan(exact / 8);
    expect(findRingFault(simple)).toBeUndefined();
  });

  it('refuse a loss that is no share', () => {
    expect(() => simplifiedRegions(drawn('#'), 1)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });
});

describe('the outline of a mask', () => {
  it('is one closed path per border, holes included', () => {
    const ring = difference(rasterizeBox([1, 1, 4, 4], 8, 8), rasterizeBox([2, 2, 2, 2], 8, 8));
    const path = outlinePath(ring);
    expect(path.match(/M[^MZ]+Z/g)).toHaveLength(2);
    expect(path).toMatch(/^M[\d L]+Z/);
  });

  it('is empty where nothing is marked', () => {
    expect(outlinePath(emptyMask(8, 8))).toBe('');
  });
});
