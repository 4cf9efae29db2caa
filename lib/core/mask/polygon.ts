import type { Ring } from '@/lib/core/geometry';
import { difference, merge } from './algebra';
import { kernel } from './kernel';
import { checkSize, MAX_COORDINATE, type Mask, MaskError } from './mask';

/** The union of several polygons, each filled by COCO's rule, which is even-odd where a ring crosses itself. */
export function rasterizePolygons(polygons: readonly Ring[], height: number, width: number): Mask {
  checkSize(height, width);
  checkPolygons(polygons);
  return merge(polygons.map((ring) => rasterizeRing(ring, height, width)));
}

/** An outer ring minus its holes. */
export function rasterizePolygonWithHoles(
  outer: Ring,
  holes: readonly Ring[],
  height: number,
  width: number,
): Mask {
  checkSize(height, width);
  checkRing(outer, 'outer');
  holes.forEach((hole, i) => {
    checkRing(hole, `holes[${i}]`);
  });
  const body = rasterizeRing(outer, height, width);
  if (holes.length === 0) return body;
  return difference(body, merge(holes.map((hole) => rasterizeRing(hole, height, width))));
}

function rasterizeRing(ring: Ring, height: number, width: number): Mask {
  return { height, width, toggles: kernel().rasterize(ring, height, width) };
}

export function checkPolygons(polygons: readonly Ring[]): void {
  if (polygons.length === 0)
    throw new MaskError('too-few-points', 'polygons', 'at least one polygon is needed');
  polygons.forEach((ring, i) => {
    checkRing(ring, `polygons[${i}]`);
  });
}

function checkRing(ring: Ring, where: string): void {
  checkPairs(ring, where);
  if (ring.length < 6)
    throw new MaskError('too-few-points', where, `a polygon needs at least 3 points, got ${ring.length / 2}`);
}

export function checkPairs(points: ArrayLike<number>, where: string): void {
  if (points.length % 2 !== 0)
    throw new MaskError('bad-coordinate', where, `${points.length} numbers do not make x, y pairs`);
  for (let i = 0; i < points.length; i++) {
    const value = points[i] as number;
    // Written so that NaN and anything that is not a number fails too.
    if (!(typeof value === 'number' && value >= -MAX_COORDINATE && value <= MAX_COORDINATE))
      throw new MaskError(
        'bad-coordinate',
        `${where}[${i}]`,
        `a coordinate must be a number within ±${MAX_COORDINATE}, got ${value}`,
      );
  }
}
