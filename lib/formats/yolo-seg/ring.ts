import { type Mask, toRegions } from '@/lib/mask';

/**
 * One closed ring for a whole mask: pieces and holes hang on the first point by bridges that are walked there and
 * back. By COCO's rule a bridge covers nothing, so the ring gives exactly the mask.
 */
export function singleRing(mask: Mask): number[] {
  const rings = toRegions(mask).flatMap(({ outer, holes }) => [outer, ...holes]);
  const [first, ...others] = rings;
  if (!first) return [];
  if (others.length === 0) return [...first];
  const start = first.slice(0, 2);
  return [...first, ...start, ...others.flatMap((ring) => [...ring, ...ring.slice(0, 2), ...start])];
}
