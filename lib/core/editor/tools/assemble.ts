import { pointInRing, signedArea } from '@/lib/core/geometry';
import type { PolygonShape, ShapeOp } from '@/lib/core/mask';

/** Rings as polygons: clockwise ones are outer rings, each of the others is a hole of the outer ring around it. */
export function assemblePolygons(rings: readonly Float64Array[], op: ShapeOp): PolygonShape[] {
  const holes = rings.filter((ring) => signedArea(ring) < 0);
  return rings
    .filter((ring) => signedArea(ring) > 0)
    .map((outer) => ({
      kind: 'polygon',
      op,
      outer,
      holes: holes.filter((hole) => pointInRing(hole[0] as number, hole[1] as number, outer)),
    }));
}
