import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  centroid,
  clockwise,
  counterClockwise,
  findRingFault,
  nearestEdge,
  nearestVertex,
  pointInRing,
  reversed,
  ringArea,
  ringBounds,
  signedArea,
  simplifyRing,
  traceBorder,
} from '@/lib/core/geometry';

const square = [1, 1, 5, 1, 5, 4, 1, 4];

describe('a ring', () => {
  it('has an area with a sign for its direction on screen', () => {
    expect(signedArea(square)).toBe(12);
    expect(signedArea(reversed(square))).toBe(-12);
    expect(ringArea(reversed(square))).toBe(12);
    expect(clockwise(reversed(square))).toEqual(reversed(reversed(square)));
    expect(counterClockwise(square)).toEqual(reversed(square));
  });

  it('has a centroid and bounds, also when it has no area', () => {
    expect(centroid(square)).toEqual([3, 2.5]);
    expect(centroid([0, 0, 2, 2, 4, 4])).toEqual([2, 2]);
    expect(ringBounds(square)).toEqual([1, 1, 4, 3]);
    expect(ringBounds([])).toEqual([0, 0, 0, 0]);
  });

  it('keeps its centroid when it moves far away', () => {
    const far = square.map((value) => value + 1e7);
    expect(centroid(far)[0] - 1e7).toBeCloseTo(3, 6);
  });

  it('contains points by the even-odd rule', () => {
    expect(pointInRing(2, 2, square)).toBe(true);
    expect(pointInRing(0, 2, square)).toBe(false);
    const twice = [...square, ...square];
    expect(pointInRing(2, 2, twice)).toBe(false);
  });
});

describe('ring validity', () => {
  it('finds nothing wrong with a simple ring, repeated points included', () => {
    expect(findRingFault(square)).toBeUndefined();
    expect(findRingFault([1, 1, 1, 1, 5, 1, 5, 4, 5, 4, 1, 4, 1, 1])).toBeUndefined();
  });

  it('locates where a bow-tie crosses itself', () => {
    expect(findRingFault([0, 0, 8, 8, 8, 0, 0, 8])).toEqual({
      kind: 'self-crossing',
      at: [4, 4],
      edges: [0, 2],
    });
  });

  it('sees a vertex that touches another edge, and an edge that runs back over its neighbour', () => {
    expect(findRingFault([0, 0, 8, 0, 8, 8, 4, 0, 0, 8])).toMatchObject({
      kind: 'self-crossing',
      at: [4, 0],
    });
    expect(findRingFault([0, 0, 8, 0, 4, 0, 4, 6])).toMatchObject({ kind: 'self-crossing' });
  });

  it('names the other faults', () => {
    expect(findRingFault([0, 0, 1])).toEqual({ kind: 'odd-length' });
    expect(findRingFault([0, 0, 1, Number.NaN, 2, 2])).toEqual({ kind: 'bad-coordinate', index: 3 });
    expect(findRingFault([0, 0, 1, 1, 1, 1, 0, 0])).toEqual({ kind: 'too-few-points' });
  });

  it('accepts every star-shaped ring', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 20, max: 100 }), { minLength: 8, maxLength: 60 }), (radii) => {
        const ring = radii.flatMap((radius, i) => {
          const angle = (2 * Math.PI * i) / radii.length;
          return [radius * Math.cos(angle), radius * Math.sin(angle)];
        });
        expect(findRingFault(ring)).toBeUndefined();
      }),
    );
  });

  it('handles a hundred thousand points', () => {
    const count = 100_000;
    const ring = Array.from({ length: 2 * count }, (_, i) => {
      const angle = (2 * Math.PI * Math.floor(i / 2)) / count;
      return 1e5 * (i % 2 ? Math.sin(angle) : Math.cos(angle));
    });
    expect(findRingFault(ring)).toBeUndefined();
  });
});

describe('simplifying a ring', () => {
  it('drops what is on a straight line and keeps corners', () => {
    expect(simplifyRing([0, 0, 2, 0, 4, 0, 4, 4, 2, 4, 0, 4, 0, 2], 0.01)).toEqual([0, 0, 4, 0, 4, 4, 0, 4]);
  });

  it('never goes below a triangle', () => {
    expect(simplifyRing([0, 0, 10, 0, 10, 1, 0, 1], 100)).toHaveLength(6);
    expect(simplifyRing([0, 0, 10, 0, 10, 1], 100)).toHaveLength(6);
  });

  it('keeps every point within the tolerance of the new border', () => {
    const coordinate = fc.integer({ min: 0, max: 50 });
    const points = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(points, fc.integer({ min: 0, max: 20 }), (ring, tolerance) => {
        const simple = simplifyRing(ring.flat(), tolerance);
        for (const [x, y] of ring) expect(distanceToRing(x, y, simple)).toBeLessThanOrEqual(tolerance + 1e-9);
      }),
    );
  });
});

function distanceToRing(x: number, y: number, ring: readonly number[]): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ring.length; i += 2) {
    const [ax, ay] = [ring[i] as number, ring[i + 1] as number];
    const next = (i + 2) % ring.length;
    const [dx, dy] = [(ring[next] as number) - ax, (ring[next + 1] as number) - ay];
    const length = dx * dx + dy * dy;
    const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
    best = Math.min(best, Math.hypot(x - ax - t * dx, y - ay - t * dy));
  }
  return best;
}

const snapSquare = [0, 0, 10, 0, 10, 10, 0, 10];

describe('snapping', () => {
  it('takes the nearest vertex within reach', () => {
    expect(nearestVertex(9, 1, snapSquare, 2)).toEqual({ point: [10, 0], index: 1, distance: Math.SQRT2 });
    expect(nearestVertex(5, 5, snapSquare, 2)).toBeUndefined();
  });

  it('takes the nearest point of an edge within reach', () => {
    expect(nearestEdge(4, 1, snapSquare, 2)).toEqual({ point: [4, 0], index: 0, distance: 1 });
    expect(nearestEdge(-1, 4, snapSquare, 2)).toEqual({ point: [0, 4], index: 3, distance: 1 });
    expect(nearestEdge(5, 5, snapSquare, 2)).toBeUndefined();
    expect(nearestEdge(5, 5, [], 2)).toBeUndefined();
  });
});

describe('tracing a neighbour’s border', () => {
  it('follows it the shorter way, or the longer', () => {
    expect(traceBorder(snapSquare, [8, 0], [10, 3])).toEqual([8, 0, 10, 0, 10, 3]);
    expect(traceBorder(snapSquare, [8, 0], [10, 3], 'longer')).toEqual([8, 0, 0, 0, 0, 10, 10, 10, 10, 3]);
  });

  it('works in both directions and on one edge', () => {
    expect(traceBorder(snapSquare, [10, 3], [8, 0])).toEqual([10, 3, 10, 0, 8, 0]);
    expect(traceBorder(snapSquare, [2, 0], [7, 0])).toEqual([2, 0, 7, 0]);
    expect(traceBorder(snapSquare, [7, 0], [2, 0])).toEqual([7, 0, 2, 0]);
    expect(traceBorder(snapSquare, [2, 0], [7, 0], 'longer')).toEqual([
      2, 0, 0, 0, 0, 10, 10, 10, 10, 0, 7, 0,
    ]);
  });

  it('starts and ends on the border even when the pointer is off it', () => {
    expect(traceBorder(snapSquare, [8, -1], [12, 3])).toEqual([8, 0, 10, 0, 10, 3]);
    expect(traceBorder([], [0, 0], [1, 1])).toEqual([]);
  });
});
