import { simplifyRing } from '@/lib/core/geometry';
import { merge } from './algebra';
import { iou } from './compare';
import { MaskError } from './errors';
import { emptyMask, type Mask } from './mask';
import { rasterizePolygonWithHoles } from './polygon';
import { type Region, toRegions } from './regions';

/** Halvings of the tolerance interval; after these the tolerance is within 1/4096 of the largest that fits. */
const HALVINGS = 12;

/** The mask that regions cover. */
export function rasterizeRegions(
  regions: readonly Pick<Region, 'outer' | 'holes'>[],
  height: number,
  width: number,
): Mask {
  if (regions.length === 0) return emptyMask(height, width);
  return merge(regions.map(({ outer, holes }) => rasterizePolygonWithHoles(outer, holes, height, width)));
}

/** Regions with fewer points whose rasterisation has an IoU of at least 1 − `maxIouLoss` with the mask. */
export function simplifiedRegions(mask: Mask, maxIouLoss: number): Region[] {
  if (!(maxIouLoss >= 0 && maxIouLoss < 1))
    throw new MaskError('bad-argument', 'maxIouLoss', `a loss is at least 0 and under 1, got ${maxIouLoss}`);
  const exact = toRegions(mask);
  let best = exact;
  let fits = 0;
  let tooFar = Math.max(mask.height, mask.width);
  for (let i = 0; i < HALVINGS && exact.length > 0; i++) {
    // Small tolerances matter most: halve on a square-root scale.
    const tolerance = ((Math.sqrt(fits) + Math.sqrt(tooFar)) / 2) ** 2;
    const candidate = exact.map((region) => simplifiedRegion(region, tolerance));
    if (iou(rasterizeRegions(candidate, mask.height, mask.width), mask) >= 1 - maxIouLoss) {
      best = candidate;
      fits = tolerance;
    } else tooFar = tolerance;
  }
  return best;
}

function simplifiedRegion(region: Region, tolerance: number): Region {
  return {
    outer: simplifyRing(region.outer, tolerance),
    holes: region.holes.map((hole) => simplifyRing(hole, tolerance)),
    parent: region.parent,
  };
}
