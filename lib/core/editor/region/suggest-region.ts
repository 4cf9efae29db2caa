import { type Box, ringBounds } from '@/lib/core/geometry';
import type { PolygonShape } from '@/lib/core/mask';
import type { Scribble } from '../tools/tool';
import type { Size } from '../view/camera';
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

/** A piece of the image, scaled down, as the region assist sees it. */
export type RegionCrop = {
  /** Red, green, blue, alpha per pixel, row-major, as a canvas gives them. */
  readonly rgba: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
  readonly plan: CropPlan;
};

export type CropPlan = {
  /** Whole image pixels. */
  readonly box: Box;
  /** Of the scaled crop. */
  readonly width: number;
  readonly height: number;
};

/** Longest side of the scaled crop: 256² pixels are decided in well under a second. */
const LONGEST_SIDE = 256;

/** An object is taken to reach at most this far beyond the scribble, as a share of the scribble's size … */
const REACH = 1;
/** … and at least this far, as a share of the longer side of the image, so that a single click works too. */
const LEAST_REACH = 0.12;

/** Which part of the image to look at for these scribbles, and at what size; `wider` times as far as at first. */
export function planCrop(scribbles: readonly Scribble[], image: Size, wider = 1): CropPlan {
  const [x, y, w, h] = ringBounds(scribbles.flatMap(({ points }) => Array.from(points)));
  const least = LEAST_REACH * Math.max(image.width, image.height);
  const reachX = wider * Math.max(least, REACH * w);
  const reachY = wider * Math.max(least, REACH * h);
  const left = within(Math.floor(x - reachX), image.width - 1);
  const top = within(Math.floor(y - reachY), image.height - 1);
  const right = Math.max(left + 1, within(Math.ceil(x + w + reachX), image.width));
  const bottom = Math.max(top + 1, within(Math.ceil(y + h + reachY), image.height));
  const scale = Math.min(1, LONGEST_SIDE / Math.max(right - left, bottom - top));
  return {
    box: [left, top, right - left, bottom - top],
    width: Math.max(1, Math.round((right - left) * scale)),
    height: Math.max(1, Math.round((bottom - top) * scale)),
  };
}

function within(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
