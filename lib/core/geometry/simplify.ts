import { length, type Point, type Ring } from './ring';

/**
 * Douglas and Peucker's simplification: no dropped point is further than `tolerance` pixels from the new border.
 * The two ends of the longest reach from the first point stay; never fewer than 3 points.
 */
export function simplifyRing(ring: Ring, tolerance: number): number[] {
  const count = ring.length / 2;
  if (count <= 3) return Array.from(ring);
  const far = farthestFrom(ring, 0);
  const kept = new Uint8Array(count + 1);
  kept[0] = 1;
  kept[far] = 1;
  keepFarPoints(ring, 0, far, tolerance, kept);
  keepFarPoints(ring, far, count, tolerance, kept);
  kept[count] = 0;
  if (kept.reduce((sum, flag) => sum + flag, 0) < 3) kept[farthestFromLine(ring, 0, far)] = 1;
  const simple: number[] = [];
  for (let i = 0; i < count; i++) if (kept[i]) simple.push(ring[2 * i] as number, ring[2 * i + 1] as number);
  return simple;
}

function farthestFrom(ring: Ring, from: number): number {
  let best = 0;
  let distance = -1;
  for (let i = 0; i < ring.length / 2; i++) {
    const dx = (ring[2 * i] as number) - (ring[2 * from] as number);
    const dy = (ring[2 * i + 1] as number) - (ring[2 * from + 1] as number);
    if (dx * dx + dy * dy > distance) {
      distance = dx * dx + dy * dy;
      best = i;
    }
  }
  return best;
}

/** Marks what must stay between two kept points; an explicit stack, as a ring may have 100,000 of them. */
function keepFarPoints(ring: Ring, first: number, last: number, tolerance: number, kept: Uint8Array): void {
  const stack = [first, last];
  while (stack.length > 0) {
    const to = stack.pop() as number;
    const from = stack.pop() as number;
    let worst = -1;
    let distance = tolerance;
    for (let i = from + 1; i < to; i++) {
      const d = distanceToSegment(ring, i, from, to);
      if (d > distance) {
        distance = d;
        worst = i;
      }
    }
    if (worst < 0) continue;
    kept[worst] = 1;
    stack.push(from, worst, worst, to);
  }
}

function farthestFromLine(ring: Ring, a: number, b: number): number {
  let best = -1;
  let distance = -1;
  for (let i = 0; i < ring.length / 2; i++) {
    if (i === a || i === b) continue;
    const d = distanceToSegment(ring, i, a, b);
    if (d > distance) {
      distance = d;
      best = i;
    }
  }
  return best;
}

/** Index `count` is the first point again. */
function distanceToSegment(ring: Ring, point: number, from: number, to: number): number {
  const a = 2 * from;
  const b = (2 * to) % ring.length;
  const px = (ring[2 * point] as number) - (ring[a] as number);
  const py = (ring[2 * point + 1] as number) - (ring[a + 1] as number);
  const dx = (ring[b] as number) - (ring[a] as number);
  const dy = (ring[b + 1] as number) - (ring[a + 1] as number);
  const squared = dx * dx + dy * dy;
  const t = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared));
  return length(px - t * dx, py - t * dy);
}

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
