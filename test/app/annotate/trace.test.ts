import { expect, it } from 'vitest';
import { traceRing } from '@/app/annotate/_canvas/paint/trace';

/** What a path was told, as a list. */
function traced(ring: readonly number[], pixel?: number): [number, number][] {
  const points: [number, number][] = [];
  const add = (x: number, y: number) => points.push([x, y]);
  traceRing({ moveTo: add, lineTo: add, closePath: () => undefined } as unknown as CanvasPath, ring, pixel);
  return points;
}

it('passes over the vertices of a ring that are too close together to be seen', () => {
  const ring = Array.from({ length: 200_000 }, (_, i) => {
    const angle = (2 * Math.PI * Math.floor(i / 2)) / 100_000;
    return 100 + 50 * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
  });
  const points = traced(ring, 1);
  expect(points.length).toBeLessThan(2000);
  for (const [i, [x, y]] of points.entries()) {
    const [beforeX, beforeY] = points.at(i - 1) ?? [0, 0];
    expect(Math.hypot(x - beforeX, y - beforeY)).toBeLessThan(0.5);
  }
});

it('keeps every vertex that is seen, and all of them where no pixel is given', () => {
  const square = [10, 10, 14, 10, 14, 14, 10, 14];
  expect(traced(square, 1)).toHaveLength(4);
  expect(traced([10, 10, 10.1, 10, 14, 14], 1)).toHaveLength(2);
  expect(traced([10, 10, 10.1, 10, 14, 14])).toHaveLength(3);
});
