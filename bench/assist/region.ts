import { type CropPlan, type RegionCrop, type Scribble, suggestRegion } from '@/lib/core/editor';
import type { Point } from '@/lib/core/geometry';
import { emptyMask, type Mask, rasterizeShapes, toBitmap } from '@/lib/core/mask';
import type { Target } from './targets';
import { correctUntilGood, landing, nothingDone, type Trial } from './trial';

const MAX_SCRIBBLES = 6;

/** A scribble inside, then one over each mistake. */
export async function regionTrial(target: Target): Promise<Trial> {
  const { truth, width, height } = target;
  const scribbles: Scribble[] = [];
  return correctUntilGood(truth, MAX_SCRIBBLES, async (mistake) => {
    const points = strokeInside(mistake?.mask ?? truth).flatMap((point) => [...landing(point)]);
    scribbles.push({ points, op: mistake && !mistake.isMissing ? 'erase' : 'add' });
    const started = performance.now();
    const shapes = suggestRegion(scribbles, target, (plan) => cropOf(target, plan));
    const found = shapes ? rasterizeShapes(shapes, height, width) : emptyMask(height, width);
    const computeMs = performance.now() - started;
    return { found, effort: { ...nothingDone, drags: 1, looks: 1, computeMs } };
  });
}

/** What a canvas would give: the mean of the pixels that fall on one of the crop. */
function cropOf({ rgba, width }: Target, plan: CropPlan): RegionCrop {
  const [left, top, boxWidth, boxHeight] = plan.box;
  const pixels = new Uint8ClampedArray(4 * plan.width * plan.height).fill(255);
  for (let y = 0; y < plan.height; y++)
    for (let x = 0; x < plan.width; x++) {
      const from = [
        Math.floor((x * boxWidth) / plan.width),
        Math.floor((y * boxHeight) / plan.height),
      ] as const;
      const to = [
        Math.max(from[0] + 1, Math.floor(((x + 1) * boxWidth) / plan.width)),
        Math.max(from[1] + 1, Math.floor(((y + 1) * boxHeight) / plan.height)),
      ] as const;
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let v = from[1]; v < to[1]; v++)
          for (let u = from[0]; u < to[0]; u++)
            sum += rgba[4 * ((top + v) * width + left + u) + channel] as number;
        pixels[4 * (y * plan.width + x) + channel] = sum / ((to[0] - from[0]) * (to[1] - from[1]));
      }
    }
  return { rgba: pixels, width: plan.width, height: plan.height, plan };
}

/** Of each pixel of the mask, how far it is to what is not of the mask, in thirds of a pixel (chamfer 3-4). */
function depths(mask: Mask): Int32Array {
  const { width, height } = mask;
  const inside = toBitmap(mask);
  const depth = new Int32Array(width * height);
  const at = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (depth[y * width + x] as number);
  const settle = (x: number, y: number, step: 1 | -1) => {
    const i = y * width + x;
    if (!inside[i]) return;
    const best = Math.min(
      at(x - step, y) + 3,
      at(x, y - step) + 3,
      at(x - step, y - step) + 4,
      at(x + step, y - step) + 4,
    );
    depth[i] = step === 1 ? best : Math.min(best, depth[i] as number);
  };
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) settle(x, y, 1);
  for (let y = height - 1; y >= 0; y--) for (let x = width - 1; x >= 0; x--) settle(x, y, -1);
  return depth;
}

/** The place that is deepest inside: where a person clicks who means this area. */
export function deepest(mask: Mask): Point {
  const depth = depths(mask);
  let best = 0;
  for (let i = 1; i < depth.length; i++) if ((depth[i] as number) > (depth[best] as number)) best = i;
  return [(best % mask.width) + 0.5, Math.floor(best / mask.width) + 0.5];
}

/** A stroke from the deepest place to one that is far from it and still well inside. */
function strokeInside(mask: Mask): Point[] {
  const depth = depths(mask);
  const from = deepest(mask);
  let best = -1;
  let to = from;
  for (let i = 0; i < depth.length; i++) {
    const place: Point = [(i % mask.width) + 0.5, Math.floor(i / mask.width) + 0.5];
    const worth = (depth[i] as number) * Math.hypot(place[0] - from[0], place[1] - from[1]);
    if (worth <= best) continue;
    best = worth;
    to = place;
  }
  return [from, to];
}
