import type { Point, Ring } from '@/lib/core/geometry';
import type { PolygonShape } from '@/lib/core/mask';
import { onGrid } from '../../document/limits';
import { ringsOf } from '../../document/shape';
import type { VertexRef } from '../../selection';

export function vertexAt(shape: PolygonShape, { ring, index }: VertexRef): Point | undefined {
  const points = ringsOf(shape)[ring];
  const x = points?.[2 * index];
  const y = points?.[2 * index + 1];
  return x === undefined || y === undefined ? undefined : [x, y];
}

/** One vertex goes exactly to `to`, so that it can share a neighbour's; several keep their places to each other. */
export function moveVertices(
  shape: PolygonShape,
  vertices: readonly VertexRef[],
  from: Point,
  to: Point,
): PolygonShape {
  const dx = onGrid(to[0] - from[0]);
  const dy = onGrid(to[1] - from[1]);
  const rings = ringsOf(shape).map((ring) => Float64Array.from(ring));
  for (const { ring, index } of vertices) {
    const points = rings[ring];
    if (!points || 2 * index >= points.length) continue;
    const alone = vertices.length === 1;
    points[2 * index] = alone ? to[0] : (points[2 * index] as number) + dx;
    points[2 * index + 1] = alone ? to[1] : (points[2 * index + 1] as number) + dy;
  }
  return withRings(shape, rings);
}

/** A new vertex on the edge that starts at vertex `index`. */
export function insertVertex(shape: PolygonShape, { ring, index }: VertexRef, point: Point): PolygonShape {
  const rings = ringsOf(shape).map((points, i) => {
    if (i !== ring) return points;
    const numbers = Array.from(points);
    numbers.splice(2 * (index + 1), 0, point[0], point[1]);
    return Float64Array.from(numbers);
  });
  return withRings(shape, rings);
}

/** A hole left with fewer than three vertices goes; an outer ring keeps at least three, or nothing is done. */
export function deleteVertices(
  shape: PolygonShape,
  vertices: readonly VertexRef[],
): PolygonShape | undefined {
  const gone = new Set(vertices.map(({ ring, index }) => `${ring}:${index}`));
  const [outer, ...holes] = ringsOf(shape).map((points, ring) =>
    Float64Array.from(points).filter((_, i) => !gone.has(`${ring}:${i >> 1}`)),
  );
  if (!outer || outer.length < 6) return undefined;
  return { ...shape, outer, holes: holes.filter((hole) => hole.length >= 6) };
}

function withRings(shape: PolygonShape, [outer, ...holes]: readonly Ring[]): PolygonShape {
  return { ...shape, outer: outer ?? shape.outer, holes };
}
