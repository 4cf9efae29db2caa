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
import { BucketQueue } from '../livewire/livewire';
import type { Scribble } from '../tools/tool';
import { maskFromScore, outlineShapes } from './outline-shapes';
import type { RegionCrop } from './suggest-region';

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

/** Bins per channel of a colour histogram. */
const BINS = 16;
const SHIFT = 4;

/** Binomial weights: a colour also speaks for its neighbours, as a scribble shows only a few of an object's. */
const KERNEL = [1, 4, 6, 4, 1] as const;

/** Share of unseen colours in both histograms; keeps a colour that neither has at one half. */
const UNSEEN = 1e-4;

/** For each pixel the chance, by its colour alone, that it belongs to the foreground. */
function foregroundChance(
  rgba: ArrayLike<number>,
  foreground: ArrayLike<number>,
  background: ArrayLike<number>,
): Float32Array {
  const inside = histogram(rgba, foreground);
  const outside = histogram(rgba, background);
  return Float32Array.from({ length: foreground.length }, (_, i) => {
    const bin = binOf(rgba, i);
    const f = (inside[bin] as number) + UNSEEN;
    return f / (f + (outside[bin] as number) + UNSEEN);
  });
}

function histogram(rgba: ArrayLike<number>, marked: ArrayLike<number>): Float32Array {
  let bins = new Float32Array(BINS ** 3);
  let total = 0;
  for (let i = 0; i < marked.length; i++) {
    if (!marked[i]) continue;
    const bin = binOf(rgba, i);
    bins[bin] = (bins[bin] as number) + 1;
    total++;
  }
  for (const stride of [1, BINS, BINS * BINS]) bins = smooth(bins, stride);
  const scale = total === 0 ? 0 : 1 / total;
  return bins.map((count) => count * scale);
}

function smooth(bins: Float32Array, stride: number): Float32Array<ArrayBuffer> {
  return Float32Array.from(bins, (_, bin) => {
    const at = Math.floor(bin / stride) % BINS;
    let sum = 0;
    let weights = 0;
    KERNEL.forEach((weight, k) => {
      const offset = k - 2;
      if (at + offset < 0 || at + offset >= BINS) return;
      sum += weight * (bins[bin + offset * stride] as number);
      weights += weight;
    });
    return sum / weights;
  });
}

function binOf(rgba: ArrayLike<number>, pixel: number): number {
  const red = (rgba[4 * pixel] as number) >> SHIFT;
  const green = (rgba[4 * pixel + 1] as number) >> SHIFT;
  const blue = (rgba[4 * pixel + 2] as number) >> SHIFT;
  return (red * BINS + green) * BINS + blue;
}

/** Change of colour between neighbours that is a clear edge: the sum over the channels of 0 … 255. */
const CLEAR = 120;

/** How strong an edge runs through each pixel, 0 … 1: the largest change of colour to a neighbour beside or below. */
function edgeStrength(rgba: ArrayLike<number>, width: number, height: number): Float32Array {
  const strength = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const right = x < width - 1 ? change(rgba, at, at + 1) : 0;
      const below = y < height - 1 ? change(rgba, at, at + width) : 0;
      strength[at] = Math.min(1, Math.max(right, below) / CLEAR);
    }
  return strength;
}

function change(rgba: ArrayLike<number>, a: number, b: number): number {
  let sum = 0;
  for (let channel = 0; channel < 3; channel++)
    sum += Math.abs((rgba[4 * a + channel] as number) - (rgba[4 * b + channel] as number));
  return sum;
}

/** A step costs this much for its length, plus the change of the chance in 1/STEEP, plus the edge in 1/EDGE. */
const LENGTH = 1;
const STEEP = 400;
const EDGE = 60;
/** A power of two above LENGTH + STEEP + EDGE. */
const SPAN = 512;
const FAR = 0x7fffffff;

/** What the way leads over: chance and edge strength per pixel, row-major, 0 … 1. */
type Terrain = {
  readonly chance: Float32Array;
  readonly edges: Float32Array;
  readonly width: number;
};

/**
 * Distance of every pixel from the nearest seed, where it is far from likely to unlikely pixels (Bai and Sapiro, A
 * geodesic framework for fast interactive image segmentation, ICCV 2007) and across an edge, also where the
 * colours on its two sides are alike.
 */
function geodesicDistance({ chance, edges, width }: Terrain, seeds: ArrayLike<number>): Int32Array {
  const distance = new Int32Array(chance.length).fill(FAR);
  const settled = new Uint8Array(chance.length);
  const queue = new BucketQueue(chance.length, SPAN);
  for (let i = 0; i < chance.length; i++) {
    if (!seeds[i]) continue;
    distance[i] = 0;
    queue.push(i, 0);
  }
  const reach = (from: number, to: number) => {
    if (settled[to] === 1) return;
    const change = Math.abs((chance[to] as number) - (chance[from] as number));
    const cost = LENGTH + Math.round(STEEP * change + EDGE * (edges[to] as number));
    const reached = (distance[from] as number) + cost;
    const known = distance[to] as number;
    if (reached >= known) return;
    if (known !== FAR) queue.remove(to);
    distance[to] = reached;
    queue.push(to, reached);
  };
  while (queue.size > 0) {
    const pixel = queue.take();
    settled[pixel] = 1;
    const x = pixel % width;
    if (x > 0) reach(pixel, pixel - 1);
    if (x < width - 1) reach(pixel, pixel + 1);
    if (pixel >= width) reach(pixel, pixel - width);
    if (pixel < chance.length - width) reach(pixel, pixel + width);
  }
  return distance;
}
