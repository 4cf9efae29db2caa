import { describe, expect, it } from 'vitest';
import { nearestEdge, nearestVertex, traceBorder } from '@/lib/core/geometry';

const square = [0, 0, 10, 0, 10, 10, 0, 10];

describe('snapping', () => {
  it('takes the nearest vertex within reach', () => {
    expect(nearestVertex(9, 1, square, 2)).toEqual({ point: [10, 0], index: 1, distance: Math.SQRT2 });
    expect(nearestVertex(5, 5, square, 2)).toBeUndefined();
  });

  it('takes the nearest point of an edge within reach', () => {
    expect(nearestEdge(4, 1, square, 2)).toEqual({ point: [4, 0], index: 0, distance: 1 });
    expect(nearestEdge(-1, 4, square, 2)).toEqual({ point: [0, 4], index: 3, distance: 1 });
    expect(nearestEdge(5, 5, square, 2)).toBeUndefined();
    expect(nearestEdge(5, 5, [], 2)).toBeUndefined();
  });
});

describe('tracing a neighbour’s border', () => {
  it('follows it the shorter way, or the longer', () => {
    expect(traceBorder(square, [8, 0], [10, 3])).toEqual([8, 0, 10, 0, 10, 3]);
    expect(traceBorder(square, [8, 0], [10, 3], 'longer')).toEqual([8, 0, 0, 0, 0, 10, 10, 10, 10, 3]);
  });

  it('works in both directions and on one edge', () => {
    expect(traceBorder(square, [10, 3], [8, 0])).toEqual([10, 3, 10, 0, 8, 0]);
    expect(traceBorder(square, [2, 0], [7, 0])).toEqual([2, 0, 7, 0]);
    expect(traceBorder(square, [7, 0], [2, 0])).toEqual([7, 0, 2, 0]);
    expect(traceBorder(square, [2, 0], [7, 0], 'longer')).toEqual([2, 0, 0, 0, 0, 10, 10, 10, 10, 0, 7, 0]);
  });

  it('starts and ends on the border even when the pointer is off it', () => {
    expect(traceBorder(square, [8, -1], [12, 3])).toEqual([8, 0, 10, 0, 10, 3]);
    expect(traceBorder([], [0, 0], [1, 1])).toEqual([]);
  });
});
