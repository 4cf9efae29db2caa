import { clockwise, counterClockwise, type Point, pointInRing } from '@/lib/core/geometry';
import type { PolygonShape } from '@/lib/core/mask';
import { cleanRing } from '../../document/clean';
import { assemblePolygons } from '../assemble';
import { type Edge, edgesOf, splitEdges } from './split-edges';

/**
 * The union of two polygons by their borders: cut all edges where they meet, keep the pieces outside of the other
 * polygon and, of pieces that both share, those with both areas on the same side. The caller compares pixels,
 * because rings that cross themselves have no such borders. Nothing when the pieces do not close.
 */
export function unitePolygons(a: PolygonShape, b: PolygonShape): PolygonShape[] | undefined {
  const [piecesA, piecesB] = splitEdges(borderOf(a), borderOf(b));
  const namesA = new Set(piecesA.map(name));
  const namesB = new Set(piecesB.map(name));
  const kept = [
    ...piecesA.filter((edge) => {
      if (namesB.has(name(edge))) return true;
      return !namesB.has(name(turned(edge))) && !covers(b, middle(edge));
    }),
    ...piecesB.filter(
      (edge) => !namesA.has(name(edge)) && !namesA.has(name(turned(edge))) && !covers(a, middle(edge)),
    ),
  ];
  const rings = linkRings(kept);
  return rings && assemblePolygons(rings, a.op);
}

function borderOf({ outer, holes }: PolygonShape): Edge[] {
  return [...edgesOf(clockwise(outer)), ...holes.flatMap((hole) => edgesOf(counterClockwise(hole)))];
}

function linkRings(edges: readonly Edge[]): Float64Array[] | undefined {
  const leaving = new Map<string, Edge[]>();
  for (const edge of edges) {
    const list = leaving.get(key(edge.a));
    if (list) list.push(edge);
    else leaving.set(key(edge.a), [edge]);
  }
  const rings: Float64Array[] = [];
  for (const list of leaving.values())
    while (list.length > 0) {
      const points: number[] = [];
      const start = list[0] as Edge;
      for (let edge = start; ; ) {
        points.push(...edge.a);
        const used = leaving.get(key(edge.a)) as Edge[];
        used.splice(used.indexOf(edge), 1);
        if (key(edge.b) === key(start.a)) break;
        const [next] = leaving.get(key(edge.b)) ?? [];
        if (!next) return undefined;
        edge = next;
      }
      const clean = cleanRing(points);
      if (clean) rings.push(clean.ring);
    }
  return rings;
}

function covers({ outer, holes }: PolygonShape, [x, y]: Point): boolean {
  return pointInRing(x, y, outer) && !holes.some((hole) => pointInRing(x, y, hole));
}

function middle({ a, b }: Edge): Point {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

function turned({ a, b }: Edge): Edge {
  return { a: b, b: a };
}

function key(point: Point): string {
  return `${point[0]},${point[1]}`;
}

function name({ a, b }: Edge): string {
  return `${key(a)} ${key(b)}`;
}
