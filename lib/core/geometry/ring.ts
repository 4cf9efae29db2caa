import { findRingFault, segmentsCross } from './validity';

/** A closed ring as flat x, y pairs in pixels of the upright image; the last point joins the first. */
export type Ring = ArrayLike<number>;

/** An open polyline as flat x, y pairs in pixels. */
export type Path = ArrayLike<number>;

export type Point = readonly [x: number, y: number];

/** x, y, width, height in pixels. */
export type Box = readonly [x: number, y: number, width: number, height: number];

/** Square root of sums, not Math.hypot: browsers round that differently, and results must be the same everywhere. */
export function length(dx: number, dy: number): number {
  return Math.sqrt(dx * dx + dy * dy);
}

/** Shoelace area in square pixels: positive when the ring runs clockwise on screen (y pointing down). */
export function signedArea(ring: Ring): number {
  let twice = 0;
  forEachEdge(ring, (ax, ay, bx, by) => {
    twice += ax * by - bx * ay;
  });
  return twice / 2;
}

export function ringArea(ring: Ring): number {
  return Math.abs(signedArea(ring));
}

/** Centre of mass of the enclosed area; of a ring without area, the mean of its points. */
export function centroid(ring: Ring): Point {
  const originX = ring[0] ?? 0;
  const originY = ring[1] ?? 0;
  let twice = 0;
  let x = 0;
  let y = 0;
  // Relative to the first point, so that a small ring far from the origin keeps its digits.
  forEachEdge(ring, (ax, ay, bx, by) => {
    const cross = (ax - originX) * (by - originY) - (bx - originX) * (ay - originY);
    twice += cross;
    x += (ax + bx - 2 * originX) * cross;
    y += (ay + by - 2 * originY) * cross;
  });
  if (twice === 0) return meanPoint(ring);
  return [originX + x / (3 * twice), originY + y / (3 * twice)];
}

function meanPoint(ring: Ring): Point {
  let x = 0;
  let y = 0;
  for (let i = 0; i < ring.length; i += 2) {
    x += ring[i] as number;
    y += ring[i + 1] as number;
  }
  const points = ring.length / 2 || 1;
  return [x / points, y / points];
}

/** Even-odd rule. A point on the border may fall on either side. */
export function pointInRing(x: number, y: number, ring: Ring): boolean {
  let inside = false;
  forEachEdge(ring, (ax, ay, bx, by) => {
    if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;
  });
  return inside;
}

export function ringBounds(ring: Ring): Box {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < ring.length; i += 2) {
    left = Math.min(left, ring[i] as number);
    right = Math.max(right, ring[i] as number);
    top = Math.min(top, ring[i + 1] as number);
    bottom = Math.max(bottom, ring[i + 1] as number);
  }
  return ring.length === 0 ? [0, 0, 0, 0] : [left, top, right - left, bottom - top];
}

export function reversed(ring: Ring): number[] {
  const back: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) back.push(ring[i] as number, ring[i + 1] as number);
  return back;
}

/** The same ring running clockwise on screen: how outer rings are stored. */
export function clockwise(ring: Ring): number[] {
  return signedArea(ring) < 0 ? reversed(ring) : Array.from(ring);
}

/** The same ring running counter-clockwise on screen: how holes are stored. */
export function counterClockwise(ring: Ring): number[] {
  return signedArea(ring) > 0 ? reversed(ring) : Array.from(ring);
}

function forEachEdge(ring: Ring, visit: (ax: number, ay: number, bx: number, by: number) => void): void {
  let ax = ring[ring.length - 2] as number;
  let ay = ring[ring.length - 1] as number;
  for (let i = 0; i < ring.length; i += 2) {
    const bx = ring[i] as number;
    const by = ring[i + 1] as number;
    visit(ax, ay, bx, by);
    ax = bx;
    ay = by;
  }
}

/** Loops that are cut off one outline. A hand makes a few where it ends; a scribble is no outline. */
const MAX_LOOPS = 50;

/** Where a ring runs across itself, or nothing. A ring that only touches itself does not. */
export function ringCrossing(ring: Ring): Point | undefined {
  const fault = findRingFault(ring);
  if (fault?.kind !== 'self-crossing') return undefined;
  const [first, second] = fault.edges;
  return segmentsCross(...edge(ring, first), ...edge(ring, second)) ? fault.at : undefined;
}

/**
 * The ring without its small loops, such as the ends of a freehand line that overshoot each other. A loop is small when
 * it has at most `maxShare` of the area of the rest; a larger one stays, because it is not clear what is meant.
 */
export function cutLoops(ring: Ring, maxShare: number): number[] {
  let rest = Array.from(ring);
  for (let i = 0; i < MAX_LOOPS; i++) {
    const fault = findRingFault(rest);
    if (fault?.kind !== 'self-crossing') break;
    const [first, second] = fault.edges;
    const inner = [...fault.at, ...rest.slice(2 * (first + 1), 2 * (second + 1))];
    const outer = [...rest.slice(0, 2 * (first + 1)), ...fault.at, ...rest.slice(2 * (second + 1))];
    const [small, large] = ringArea(inner) < ringArea(outer) ? [inner, outer] : [outer, inner];
    if (large.length < 6 || ringArea(small) > maxShare * ringArea(large)) break;
    rest = large;
  }
  return rest;
}

function edge(ring: Ring, index: number): [Point, Point] {
  const next = (2 * index + 2) % ring.length;
  return [
    [ring[2 * index] as number, ring[2 * index + 1] as number],
    [ring[next] as number, ring[next + 1] as number],
  ];
}
