import { describe, expect, it } from 'vitest';
import { fromBitmap, iou, type Mask, rasterizePolygons } from '@/lib/core/mask';
import { generateScene, outlinesOf } from '@/lib/demo/scenes';

const mask = (rows: string[]): Mask =>
  fromBitmap(
    rows
      .join('')
      .split('')
      .map((cell) => (cell === '#' ? 1 : 0)),
    rows.length,
    rows[0]?.length ?? 0,
  );

describe('outlines of what can be seen', () => {
  it('a rectangle has four corners', () => {
    expect(outlinesOf(mask(['....', '.##.', '.##.', '....']), 0.1)).toEqual([[1, 1, 3, 1, 3, 3, 1, 3]]);
  });

  it('two areas that touch only at a corner get two outlines', () => {
    expect(outlinesOf(mask(['##..', '##..', '..##', '..##']), 0.1)).toHaveLength(2);
  });

  it('a hole does not break the outer outline', () => {
    expect(outlinesOf(mask(['###', '#.#', '###']), 0.1)).toEqual([[0, 0, 3, 0, 3, 3, 0, 3]]);
  });

  it('an empty mask has none', () => {
    expect(outlinesOf(mask(['..', '..']), 0.1)).toEqual([]);
  });

  it('of a scene give the object back when they are filled', () => {
    for (let seed = 0; seed < 12; seed++) {
      const scene = generateScene({ seed, preset: 'rival10', width: 256, height: 256 });
      const again = rasterizePolygons(scene.shapes.object ?? [], 256, 256);
      // Gaps between legs and under wings are holes, which an outer outline fills.
      expect(iou(again, scene.objectMask), `seed ${seed}`).toBeGreaterThan(0.9);
    }
  });

  it('exist for the object and for every mask of the scene', () => {
    const scene = generateScene({
      seed: 4,
      preset: 'pascal-part',
      className: 'horse',
      width: 200,
      height: 200,
    });
    expect(Object.keys(scene.shapes).sort()).toEqual(['object', ...Object.keys(scene.partMasks)].sort());
  });
});
