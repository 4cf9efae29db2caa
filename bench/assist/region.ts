import { type CropPlan, type RegionCrop, type Scribble, suggestRegion } from '@/lib/core/editor';
import { emptyMask, rasterizeShapes } from '@/lib/core/mask';
import { strokeInside } from './depth';
import { landing, nothingDone } from './hand';
import type { Target } from './targets';
import { correctUntilGood, type Trial } from './trial';

const MOST_SCRIBBLES = 6;

/** A scribble inside, then one over each mistake. */
export async function regionTrial(target: Target): Promise<Trial> {
  const { truth, width, height } = target;
  const scribbles: Scribble[] = [];
  return correctUntilGood(truth, MOST_SCRIBBLES, async (mistake) => {
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
