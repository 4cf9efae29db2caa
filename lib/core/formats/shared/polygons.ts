import { type Mask, type Region, toRegions } from '@/lib/core/mask';

/**
 * Joins rings into one closed ring: each hangs on the first point of the first one by a seam that is walked there and
 * back. By COCO's rule a seam covers nothing and rings are counted by even and odd, so holes stay holes.
 */
export function joinRings(rings: readonly (readonly number[])[]): readonly number[] {
  const [first, ...rest] = rings;
  if (!first || rest.length === 0) return first ?? [];
  const [x, y] = [first[0] as number, first[1] as number];
  const joined = [...first, x, y];
  for (const ring of rest) {
    for (const coordinate of ring) joined.push(coordinate);
    joined.push(ring[0] as number, ring[1] as number, x, y);
  }
  return joined;
}

const ringsOf = ({ outer, holes }: Region) => [outer, ...holes];

/** One ring for the whole mask: its pieces and holes are joined by seams. Empty for an empty mask. */
export const singleRing = (mask: Mask): readonly number[] => joinRings(toRegions(mask).flatMap(ringsOf));

/** One ring for each piece of the mask, along pixel corners: the union of the polygons is exactly the mask. */
export const pieceRings = (mask: Mask): (readonly number[])[] =>
  toRegions(mask).map((region) => joinRings(ringsOf(region)));
