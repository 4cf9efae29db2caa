import {
  components,
  emptyMask,
  fromBitmap,
  intersectionArea,
  type Mask,
  merge,
  type PolygonShape,
  pad,
  rasterizeStroke,
  toBitmap,
} from '@/lib/core/mask';
import type { Scribble } from '../tools/tool';
import { foregroundChance } from './colour-model';
import type { RegionCrop } from './crop';
import { edgeStrength } from './edge-strength';
import { geodesicDistance } from './geodesic';
import { maskFromScore } from './mask-from-score';
import { outlineShapes } from './outline-shapes';

/** Of a scribble in the scaled crop, in pixels. */
const SCRIBBLE_RADIUS = 1.5;

/** Share of the crop's inner border that a region may reach: an object that is cut off by the crop reaches less. */
const LEAK = 0.5;

/**
 * The object under a rough scribble: colours under it against those of the crop's border and of background
 * scribbles, then every pixel goes to the side that it is nearer to and looks more like. The mask has the size of
 * the crop's box in image pixels.
 */
export function growRegion(crop: RegionCrop, scribbles: readonly Scribble[]): Mask {
  const { width, height, rgba } = crop;
  const wanted = seedMask(crop, scribbles, 'add');
  const foreground = toBitmap(wanted);
  const unwanted = toBitmap(seedMask(crop, scribbles, 'erase'));
  const background = unwanted.map((marked, i) =>
    foreground[i] === 0 && (marked === 1 || onBorder(i, width, height)) ? 1 : 0,
  );
  const chance = foregroundChance(rgba, foreground, background);
  const edges = edgeStrength(rgba, width, height);
  const toForeground = geodesicDistance({ chance, edges, width }, foreground);
  const toBackground = geodesicDistance({ chance, edges, width }, background);
  const score = chance.map((p, i) => (toBackground[i] as number) * p - (toForeground[i] as number) * (1 - p));
  const decided = connectedTo(
    wanted,
    fromBitmap(
      score.map((value) => (value > 0 ? 1 : 0)),
      height,
      width,
    ),
  );
  const kept = toBitmap(decided);
  const [, , boxWidth, boxHeight] = crop.plan.box;
  return maskFromScore(
    score.map((value, i) => (kept[i] === 1 ? value : Math.min(value, 0))),
    crop,
    { width: boxWidth, height: boxHeight },
  );
}

/**
 * Whether the region ran out of the crop instead of stopping at the object's border: it reaches every side of the
 * crop and most of them wholly. There it only stopped because it had to.
 */
export function regionLeaks(region: Mask, { plan }: RegionCrop): boolean {
  const [, , width, height] = plan.box;
  const margin = Math.ceil(2 * Math.max(width / plan.width, height / plan.height));
  if (width <= 2 * margin || height <= 2 * margin) return false;
  const bytes = toBitmap(region);
  const across = Array.from({ length: width }, (_, x) => x);
  const down = Array.from({ length: height }, (_, y) => y);
  const sides = [
    across.map((x) => bytes[margin * width + x]),
    across.map((x) => bytes[(height - 1 - margin) * width + x]),
    down.map((y) => bytes[y * width + margin]),
    down.map((y) => bytes[y * width + width - 1 - margin]),
  ];
  const covered = sides.flat().filter((byte) => byte === 1).length;
  return sides.every((side) => side.includes(1)) && covered > LEAK * 2 * (width + height);
}

/** The region as polygons that can be edited, in image pixels. */
export function regionShapes(region: Mask, crop: RegionCrop): PolygonShape[] {
  const [left, top] = crop.plan.box;
  return outlineShapes(region, left, top);
}

/** The region on the whole image. */
export function regionMask(region: Mask, crop: RegionCrop, height: number, width: number): Mask {
  const [left, top, boxWidth, boxHeight] = crop.plan.box;
  return pad(region, { left, top, right: width - left - boxWidth, bottom: height - top - boxHeight });
}

function seedMask(crop: RegionCrop, scribbles: readonly Scribble[], op: Scribble['op']): Mask {
  const [left, top, boxWidth, boxHeight] = crop.plan.box;
  const { width, height } = crop;
  const masks = scribbles
    .filter((scribble) => scribble.op === op && scribble.points.length > 0)
    .map(({ points }) => {
      const scaled = Array.from(points, (value, i) =>
        i % 2 === 0 ? ((value - left) * width) / boxWidth : ((value - top) * height) / boxHeight,
      );
      return rasterizeStroke(scaled, SCRIBBLE_RADIUS, height, width);
    });
  return masks.length > 0 ? merge(masks) : emptyMask(height, width);
}

function connectedTo(seeds: Mask, region: Mask): Mask {
  const parts = components(region, 4).filter((part) => intersectionArea(part, seeds) > 0);
  return parts.length > 0 ? merge(parts) : emptyMask(region.height, region.width);
}

function onBorder(pixel: number, width: number, height: number): boolean {
  const x = pixel % width;
  const y = (pixel - x) / width;
  return x === 0 || y === 0 || x === width - 1 || y === height - 1;
}
