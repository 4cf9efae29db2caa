import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Mask, toBitmap } from '@/lib/core/mask';
import { GRID, PositionCounts, SizeCounts } from '@/lib/core/statistics/masks';
import { anyMask } from '../mask/arbitrary';

/** The mask's pixels laid on the grid one by one. */
function coverage(mask: Mask): number[] {
  const cells = new Array<number>(GRID * GRID).fill(0);
  const pixels = toBitmap(mask);
  const shared = (pixel: number, size: number, cell: number) =>
    Math.max(0, Math.min(((pixel + 1) * GRID) / size, cell + 1) - Math.max((pixel * GRID) / size, cell));
  for (let row = 0; row < GRID; row++)
    for (let column = 0; column < GRID; column++)
      for (let y = 0; y < mask.height; y++)
        for (let x = 0; x < mask.width; x++)
          if (pixels[y * mask.width + x])
            cells[row * GRID + column] =
              (cells[row * GRID + column] as number) +
              shared(x, mask.width, column) * shared(y, mask.height, row);
  return cells;
}

describe('what is computed from runs', () => {
  it('is what laying every pixel on the grid gives', () => {
    fc.assert(
      fc.property(fc.array(anyMask, { minLength: 1, maxLength: 3 }), (masks) => {
        const counts = new PositionCounts();
        for (const mask of masks) counts.add(mask);
        const drawn = masks.filter((mask) => mask.toggles.length > 1);
        const { n, cells } = counts.result('part', 'head');
        expect(n).toBe(drawn.length);
        const slow = drawn.map(coverage);
        cells.forEach((cell, at) => {
          const mean = slow.reduce((sum, map) => sum + (map[at] as number), 0) / Math.max(1, n);
          expect(Math.abs(cell - mean)).toBeLessThan(1e-4);
        });
      }),
      { numRuns: 15 },
    );
  });

  it('has quantiles within 1.2 % of the sorted list', () => {
    const areas = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(areas, (list) => {
        const counts = new SizeCounts();
        for (const pixels of list) counts.add(pixels, 1_000_000);
        const sorted = list.map((pixels) => pixels / 1_000_000).sort((a, b) => a - b);
        const { quantiles, bars, n } = counts.result('part', 'head');
        const exact = (level: number) => sorted[Math.ceil(level * sorted.length) - 1] as number;
        expect(Math.abs((quantiles.median.value as number) / exact(0.5) - 1)).toBeLessThan(0.012);
        expect(Math.abs((quantiles.p95.value as number) / exact(0.95) - 1)).toBeLessThan(0.012);
        expect(bars.reduce((sum, bar) => sum + bar.count, 0)).toBe(n);
      }),
    );
  });
});
