import { length, type Point, type Ring } from './ring';

/** Where a pointer lands on a ring. */
export type Snap = {
  /** The point to snap to. */
  readonly point: Point;
  /** The vertex, or the edge that runs from this vertex to the next. */
  readonly index: number;
  /** From the pointer, in pixels. */
  readonly distance: number;
};

/** The nearest vertex within `reach` pixels; the first of equals. */
export function nearestVertex(x: number, y: number, ring: Ring, reach: number): Snap | undefined {
  let best: Snap | undefined;
  for (let i = 0; i < ring.length; i += 2) {
    const point: Point = [ring[i] as number, ring[i + 1] as number];
    best = closer(best, x, y, point, i / 2);
  }
  return best && best.distance <= reach ? best : undefined;
}

/** The nearest point of the border within `reach` pixels; the first of equals. */
export function nearestEdge(x: number, y: number, ring: Ring, reach: number): Snap | undefined {
  let best: Snap | undefined;
  for (let i = 0; i < ring.length; i += 2) best = closer(best, x, y, projected(x, y, ring, i), i / 2);
  return best && best.distance <= reach ? best : undefined;
}

/** Which way round the neighbour's border a trace goes. */
export type TraceSide = 'shorter' | 'longer';

/**
 * The border of a neighbour between the two border points nearest to `from` and `to`, both included, so that a
 * new ring can share it exactly. A ring without points gives an empty path.
 */
export function traceBorder(ring: Ring, from: Point, to: Point, trace: TraceSide = 'shorter'): number[] {
  const start = nearestEdge(from[0], from[1], ring, Number.POSITIVE_INFINITY);
  const end = nearestEdge(to[0], to[1], ring, Number.POSITIVE_INFINITY);
  if (!start || !end) return [];
  const forward = walk(ring, start, end);
  const backward = reversedPath(walk(ring, end, start));
  const forwardIsShorter = pathLength(forward) <= pathLength(backward);
  return forwardIsShorter === (trace === 'shorter') ? forward : backward;
}

/** Along the ring's own direction. */
function walk(ring: Ring, start: Snap, end: Snap): number[] {
  const count = ring.length / 2;
  const path: number[] = [...start.point];
  const ahead = start.index === end.index && isAhead(ring, start, end);
  if (!ahead) {
    let vertex = start.index;
    do {
      vertex = (vertex + 1) % count;
      push(path, ring[2 * vertex] as number, ring[2 * vertex + 1] as number);
    } while (vertex !== end.index);
  }
  push(path, end.point[0], end.point[1]);
  return path;
}

/** On one and the same edge, whether `end` lies at or beyond `start`. */
function isAhead(ring: Ring, start: Snap, end: Snap): boolean {
  const x = ring[2 * start.index] as number;
  const y = ring[2 * start.index + 1] as number;
  return length(start.point[0] - x, start.point[1] - y) <= length(end.point[0] - x, end.point[1] - y);
}

function push(path: number[], x: number, y: number): void {
  if (path[path.length - 2] !== x || path[path.length - 1] !== y) path.push(x, y);
}

function projected(x: number, y: number, ring: Ring, i: number): Point {
  const next = (i + 2) % ring.length;
  const ax = ring[i] as number;
  const ay = ring[i + 1] as number;
  const dx = (ring[next] as number) - ax;
  const dy = (ring[next + 1] as number) - ay;
  const squared = dx * dx + dy * dy;
  const t = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / squared));
  return [ax + t * dx, ay + t * dy];
}

function closer(best: Snap | undefined, x: number, y: number, point: Point, index: number): Snap {
  const distance = length(point[0] - x, point[1] - y);
  return best && best.distance <= distance ? best : { point, index, distance };
}

function pathLength(path: readonly number[]): number {
  let sum = 0;
  for (let i = 2; i < path.length; i += 2)
    sum += length(
      (path[i] as number) - (path[i - 2] as number),
      (path[i + 1] as number) - (path[i - 1] as number),
    );
  return sum;
}

function reversedPath(path: readonly number[]): number[] {
  const back: number[] = [];
  for (let i = path.length - 2; i >= 0; i -= 2) back.push(path[i] as number, path[i + 1] as number);
  return back;
}
