import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Shape } from '@/lib/core/mask';
import { traitsOf } from '@/lib/core/quality/traits';

const polygon = (outer: number[], op: 'add' | 'erase' = 'add'): Shape => ({
  kind: 'polygon',
  op,
  outer,
  holes: [],
});
const drawing = (...shapes: Shape[]) => traitsOf({ kind: 'mask', shapes });

describe('the traits of an answer', () => {
  it('count the corners of outlines, and do not count what was painted', () => {
    expect(drawing(polygon([0, 0, 9, 0, 9, 9, 0, 9])).vertices).toBe(4);
    expect(drawing(polygon([0, 0, 9, 0, 9, 9]), polygon([1, 1, 2, 1, 2, 2], 'erase')).vertices).toBe(3);
    const stroke: Shape = { kind: 'stroke', op: 'add', points: [1, 1, 5, 5], radius: 2 };
    expect(drawing(polygon([0, 0, 9, 0, 9, 9]), stroke).vertices).toBeNull();
  });

  it('tell the same drawing wherever it is pasted', () => {
    const coordinate = fc.integer({ min: -500, max: 500 });
    const shape = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(shape, coordinate, coordinate, (points, dx, dy) => {
        const here = drawing(polygon(points.flat()));
        const there = drawing(polygon(points.flatMap(([x, y]) => [x + dx, y + dy])));
        expect(there.shapesHash).toBe(here.shapesHash);
      }),
    );
  });

  it('tell drawings apart', () => {
    const hashes = [
      drawing(polygon([0, 0, 9, 0, 9, 9])),
      drawing(polygon([0, 0, 9, 0, 9, 8])),
      drawing(polygon([0, 0, 9, 0, 9, 9], 'erase')),
      drawing({ kind: 'stroke', op: 'add', points: [0, 0, 9, 0, 9, 9], radius: 3 }),
      drawing({ kind: 'stroke', op: 'add', points: [0, 0, 9, 0, 9, 9], radius: 4 }),
      drawing({ kind: 'bitmap', op: 'add', size: [4, 4], counts: '04' }),
    ].map((traits) => traits.shapesHash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('know the same choices in any order', () => {
    const a = traitsOf({ kind: 'attributes', choices: { parts: ['ears', 'tail'], colour: ['red'] } });
    const b = traitsOf({ kind: 'attributes', choices: { colour: ['red'], parts: ['tail', 'ears'] } });
    const c = traitsOf({ kind: 'attributes', choices: { colour: ['red'], parts: ['tail'] } });
    expect(a.choicesHash).toBe(b.choicesHash);
    expect(a.choicesHash).not.toBe(c.choicesHash);
    expect(a).toMatchObject({ kind: 'attributes', vertices: null, shapesHash: null });
  });
});
