import { simplifyRing } from '@/lib/core/geometry';
import { type Mask, toRegions } from '@/lib/core/mask';

/** Outer outlines of the visible area along pixel edges, thinned to `tolerance` pixels. */
export function outlinesOf(mask: Mask, tolerance: number): number[][] {
  return toRegions(mask)
    .map(({ outer }) => [...simplifyRing(outer, tolerance)])
    .filter((ring) => ring.length >= 6);
}
