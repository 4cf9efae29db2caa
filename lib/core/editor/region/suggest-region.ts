import type { PolygonShape } from '@/lib/core/mask';
import type { Scribble } from '../tools/tool';
import type { Size } from '../view/camera';
import { type CropPlan, planCrop, type RegionCrop } from './crop';
import { growRegion, regionLeaks, regionShapes } from './grow-region';

/** How much wider the crop becomes with each try, until it is the whole image. */
const WIDER = 2;

/**
 * The object under the scribbles as polygons. A region that runs out of its crop is looked for in a wider one; when
 * there is none, it cannot be told from what is around it, and the answer is nothing.
 */
export function suggestRegion(
  scribbles: readonly Scribble[],
  image: Size,
  look: (plan: CropPlan) => RegionCrop,
): PolygonShape[] | undefined {
  for (let wider = 1; ; wider *= WIDER) {
    const crop = look(planCrop(scribbles, image, wider));
    const region = growRegion(crop, scribbles);
    if (!regionLeaks(region, crop)) return regionShapes(region, crop);
    const [, , width, height] = crop.plan.box;
    if (width === image.width && height === image.height) return undefined;
  }
}
