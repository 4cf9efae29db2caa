import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Shape } from '@/lib/core/mask';
import { poolTimes } from '@/lib/core/quality/history';
import { traitsOf } from '@/lib/core/quality/traits';
import { createRng } from '@/lib/demo/scenes/prng';

/** Log-normal times around half a minute, by the sum of twelve uniforms. */
function times(n: number): number[] {
  const rng = createRng(3);
  return Array.from({ length: n }, () => {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += rng.next();
    return 30_000 * Math.exp(0.5 * sum);
  });
}

describe('how long everybody takes', () => {
  it('is unknown of a few answers', () => {
    expect(poolTimes(times(39))).toBeNull();
  });

  it('is told by the median and the fifth percentile', () => {
    const pool = poolTimes(times(4000));
    expect((pool?.medianMs ?? 0) / 30_000).toBeCloseTo(1, 1);
    expect((pool?.fifthMs ?? 0) / (30_000 * Math.exp(-0.5 * 1.6449))).toBeCloseTo(1, 1);
  });

  it('is hardly moved by one in ten who just clicks', () => {
    const honest = times(900);
    const all = [...honest, ...Array<number>(100).fill(1000)];
    const [before, after] = [poolTimes(honest), poolTimes(all)];
    expect((after?.fifthMs ?? 0) / (before?.fifthMs ?? 1)).toBeGreaterThan(0.75);
  });
});

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
