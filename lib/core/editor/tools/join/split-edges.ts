import type { Point, Ring } from '@/lib/core/geometry';
import { onGrid } from '../../document/limits';

export type Edge = { readonly a: Point; readonly b: Point };

/** A vertex this near an edge lies on it, in pixels: snapping puts points on a grid of 1/16 next to the edge. */
const ON_EDGE = 0.05;

export function edgesOf(ring: Ring): Edge[] {
  const edges: Edge[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const next = (i + 2) % ring.length;
    edges.push({
      a: [ring[i] as number, ring[i + 1] as number],
      b: [ring[next] as number, ring[next + 1] as number],
    });
  }
  return edges;
}

/** Both sets of edges, cut wherever they meet, so that afterwards edges meet at their ends only. */
export function splitEdges(first: readonly Edge[], second: readonly Edge[]): [Edge[], Edge[]] {
  const cutsFirst = first.map((): Point[] => []);
  const cutsSecond = second.map((): Point[] => []);
  first.forEach((e, i) => {
    second.forEach((f, j) => {
      if (!near(e, f)) return;
      const onE = [f.a, f.b].filter((point) => liesOn(point, e));
      const onF = [e.a, e.b].filter((point) => liesOn(point, f));
      cutsFirst[i]?.push(...onE);
      cutsSecond[j]?.push(...onF);
      if (onE.length > 0 || onF.length > 0) return;
      const crossing = cross(e, f);
      if (!crossing) return;
      cutsFirst[i]?.push(crossing);
      cutsSecond[j]?.push(crossing);
    });
  });
  return [
    first.flatMap((edge, i) => cutAt(edge, cutsFirst[i] ?? [])),
    second.flatMap((edge, j) => cutAt(edge, cutsSecond[j] ?? [])),
  ];
}

function near(e: Edge, f: Edge): boolean {
  for (const axis of [0, 1] as const) {
    if (Math.max(e.a[axis], e.b[axis]) + ON_EDGE < Math.min(f.a[axis], f.b[axis])) return false;
    if (Math.max(f.a[axis], f.b[axis]) + ON_EDGE < Math.min(e.a[axis], e.b[axis])) return false;
  }
  return true;
}

function liesOn([x, y]: Point, { a, b }: Edge): boolean {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const t = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(a[0] + t * dx - x, a[1] + t * dy - y) <= ON_EDGE;
}

function cross({ a, b }: Edge, { a: c, b: d }: Edge): Point | undefined {
  const side = (p: Point, q: Point, r: Point) =>
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  const sideA = side(c, d, a);
  const sideB = side(c, d, b);
  if (sideA > 0 === sideB > 0 || side(a, b, c) > 0 === side(a, b, d) > 0) return undefined;
  const t = sideA / (sideA - sideB);
  return [onGrid(a[0] + t * (b[0] - a[0])), onGrid(a[1] + t * (b[1] - a[1]))];
}

function cutAt({ a, b }: Edge, cuts: readonly Point[]): Edge[] {
  const along = ([x, y]: Point) => (x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1]);
  const stops = [a, ...[...cuts].sort((p, q) => along(p) - along(q)), b];
  const pieces: Edge[] = [];
  for (let i = 1; i < stops.length; i++) {
    const from = stops[i - 1] as Point;
    const to = stops[i] as Point;
    if (from[0] !== to[0] || from[1] !== to[1]) pieces.push({ a: from, b: to });
  }
  return pieces;
}
