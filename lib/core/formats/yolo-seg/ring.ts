import { type Mask, toRegions } from '@/lib/core/mask';

/**
 * One closed ring for a whole mask: pieces and holes hang on the first point by bridges that are walked there and
 * back. By COCO's rule a bridge covers nothing, so the ring gives exactly the mask.
 */
export function singleRing(mask: Mask): readonly number[] {
  const rings = toRegions(mask).flatMap(({ outer, holes }) => [outer, ...holes]);
  const [first] = rings;
  if (!first) return [];
  if (rings.length === 1) return first;
  const joined: number[] = [];
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i++) joined.push(ring[i] as number);
    if (ring !== first) joined.push(ring[0] as number, ring[1] as number);
    joined.push(first[0] as number, first[1] as number);
  }
  return joined;
}
