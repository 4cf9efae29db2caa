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
  simplifiedRegions,
  toBitmap,
} from '@/lib/mask';
import { onGrid } from '../document/limits';
import type { Scribble } from '../tools/tool';
import { foregroundChance } from './colour-model';
import type { RegionCrop } from './crop';
import { geodesicDistance } from './geodesic';

/** Of a scribble in the scaled crop, in pixels. */
const SCRIBBLE_RADIUS = 1.5;

/** How much of the mask the outline may lose for having few vertices. */
const OUTLINE_LOSS = 0.01;

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
  const toForeground = geodesicDistance(chance, foreground, width);
  const toBackground = geodesicDistance(chance, background, width);
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
  return enlarge(
    score.map((value, i) => (kept[i] === 1 ? value : Math.min(value, 0))),
    crop,
  );
}

/** The region as polygons that can be edited, in image pixels. */
export function regionShapes(region: Mask, crop: RegionCrop): PolygonShape[] {
  const [left, top] = crop.plan.box;
  const placed = (ring: readonly number[]) =>
    Float64Array.from(ring, (value, i) => onGrid(value + (i % 2 === 0 ? left : top)));
  return simplifiedRegions(region, OUTLINE_LOSS).map(({ outer, holes }) => ({
    kind: 'polygon',
    op: 'add',
    outer: placed(outer),
    holes: holes.map(placed),
  }));
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

/** Bilinear on the score, so that the border does not show the small crop's steps. */
function enlarge(score: Float32Array, { width, height, plan }: RegionCrop): Mask {
  const [, , boxWidth, boxHeight] = plan.box;
  const bytes = new Uint8Array(boxWidth * boxHeight);
  const sample = (x: number, y: number) =>
    score[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))] as number;
  for (let y = 0; y < boxHeight; y++) {
    const sy = ((y + 0.5) * height) / boxHeight - 0.5;
    const y0 = Math.floor(sy);
    for (let x = 0; x < boxWidth; x++) {
      const sx = ((x + 0.5) * width) / boxWidth - 0.5;
      const x0 = Math.floor(sx);
      const upper = sample(x0, y0) * (x0 + 1 - sx) + sample(x0 + 1, y0) * (sx - x0);
      const lower = sample(x0, y0 + 1) * (x0 + 1 - sx) + sample(x0 + 1, y0 + 1) * (sx - x0);
      bytes[y * boxWidth + x] = upper * (y0 + 1 - sy) + lower * (sy - y0) > 0 ? 1 : 0;
    }
  }
  return fromBitmap(bytes, boxHeight, boxWidth);
}
