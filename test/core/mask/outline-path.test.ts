import { describe, expect, it } from 'vitest';
import { difference, emptyMask, outlinePath, rasterizeBox } from '@/lib/core/mask';

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
