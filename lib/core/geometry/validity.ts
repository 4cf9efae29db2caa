import type { Point, Ring } from './ring';

export type RingFault =
  | { readonly kind: 'odd-length' }
  | { readonly kind: 'bad-coordinate'; readonly index: number }
  | { readonly kind: 'too-few-points' }
  | { readonly kind: 'self-crossing'; readonly at: Point; readonly edges: readonly [number, number] };

/**
 * What is wrong with a ring, or nothing. Self-crossing means that two edges which are not neighbours share a
 * point, or that neighbours fold back over each other; edge i runs from point i to the next. Repeated points
 * are harmless and ignored.
 */
export function findRingFault(ring: Ring): RingFault | undefined {
  if (ring.length % 2 !== 0) return { kind: 'odd-length' };
  for (let index = 0; index < ring.length; index++)
    if (!Number.isFinite(ring[index])) return { kind: 'bad-coordinate', index };
  const edges = ringEdges(ring);
  if (edges.length < 3) return { kind: 'too-few-points' };
  return firstCrossing(edges);
}

/** The first place where an open path meets itself, or nothing. */
export function pathCrossing(path: Ring): Point | undefined {
  const edges = ringEdges(path, false);
  // No last edge is the neighbour of the first one.
  const fault = firstCrossing(edges, edges.length + 1);
  return fault?.at;
}

type Edge = {
  readonly index: number;
  /** Place among the edges of non-zero length, to tell neighbours. */
  readonly order: number;
  readonly a: Point;
  readonly b: Point;
  readonly left: number;
  readonly right: number;
};

function ringEdges(ring: Ring, isClosed = true): Edge[] {
  const edges: Edge[] = [];
  const end = isClosed ? ring.length : ring.length - 2;
  for (let i = 0; i < end; i += 2) {
    const next = (i + 2) % ring.length;
    const a: Point = [ring[i] as number, ring[i + 1] as number];
    const b: Point = [ring[next] as number, ring[next + 1] as number];
    if (a[0] === b[0] && a[1] === b[1]) continue;
    edges.push({
      index: i / 2,
      order: edges.length,
      a,
      b,
      left: Math.min(a[0], b[0]),
      right: Math.max(a[0], b[0]),
    });
  }
  return edges;
}

/** Sweeps from left to right and tests each edge with those still open. */
function firstCrossing(
  edges: readonly Edge[],
  count = edges.length,
): Extract<RingFault, { kind: 'self-crossing' }> | undefined {
  const byLeft = [...edges].sort((e, f) => e.left - f.left);
  let open: Edge[] = [];
  for (const edge of byLeft) {
    open = open.filter((other) => other.right >= edge.left);
    for (const other of open) {
      const at = meeting(edge, other, count);
      if (!at) continue;
      const [low, high] = edge.index < other.index ? [edge, other] : [other, edge];
      return { kind: 'self-crossing', at, edges: [low.index, high.index] };
    }
    open.push(edge);
  }
  return undefined;
}

function meeting(e: Edge, f: Edge, count: number): Point | undefined {
  if ((e.order + 1) % count === f.order) return foldBack(e, f);
  if ((f.order + 1) % count === e.order) return foldBack(f, e);
  return segmentMeeting(e.a, e.b, f.a, f.b);
}

/** Neighbours always share a point; they are at fault only when the second runs back along the first. */
function foldBack(first: Edge, second: Edge): Point | undefined {
  if (side(first.a, first.b, second.b) !== 0) return undefined;
  const forward =
    (first.b[0] - first.a[0]) * (second.b[0] - second.a[0]) +
    (first.b[1] - first.a[1]) * (second.b[1] - second.a[1]);
  return forward < 0 ? first.b : undefined;
}

/** Whether two segments run across each other, each end strictly on its own side. */
export function segmentsCross(a: Point, b: Point, c: Point, d: Point): boolean {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/** A point that two segments share, or nothing. */
export function segmentMeeting(a: Point, b: Point, c: Point, d: Point): Point | undefined {
  const sideC = side(a, b, c);
  const sideD = side(a, b, d);
  const sideA = side(c, d, a);
  const sideB = side(c, d, b);
  if (sideC === 0 && within(a, b, c)) return c;
  if (sideD === 0 && within(a, b, d)) return d;
  if (sideA === 0 && within(c, d, a)) return a;
  if (sideB === 0 && within(c, d, b)) return b;
  if (sideC > 0 === sideD > 0 || sideA > 0 === sideB > 0 || sideC * sideD * sideA * sideB === 0)
    return undefined;
  const t = sideA / (sideA - sideB);
  return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
}

function side(a: Point, b: Point, p: Point): number {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/** Whether p, known to lie on the line through a and b, lies between them. */
function within(a: Point, b: Point, p: Point): boolean {
  return (
    Math.min(a[0], b[0]) <= p[0] &&
    p[0] <= Math.max(a[0], b[0]) &&
    Math.min(a[1], b[1]) <= p[1] &&
    p[1] <= Math.max(a[1], b[1])
  );
}
