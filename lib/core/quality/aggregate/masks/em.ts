import type { Mask } from '@/lib/core/mask';
import { likelyPixels, MAX_ITERATIONS, type MergedMask, TOLERANCE } from './merged';
import { drew, patternsOf } from './patterns';

const EDGE = 1e-6;

/**
 * EM with one coin per worker: Lee, Das Sarma, Parameswaran, "Aggregating crowdsourced image segmentations", HCOMP
 * 2018. A worker is right about a pixel with one probability; only pixels that somebody drew count, so that the
 * background says nothing about anybody.
 */
export function segmentationEm(masks: readonly Mask[]): MergedMask {
  const patterns = patternsOf(masks);
  const cells = [...patterns.pixels];
  const total = cells.reduce((sum, [, pixels]) => sum + pixels, 0);
  let probability = new Map(cells.map(([who]) => [who, share(who, masks.length)]));
  let weight = new Float64Array(masks.length).fill(0.5);
  let iterations = 0;
  for (let change = 1; change > TOLERANCE && iterations < MAX_ITERATIONS && total > 0; iterations++) {
    weight = weight.map((_, w) => {
      const right = cells.reduce((sum, [who, pixels]) => {
        const p = probability.get(who) as number;
        return sum + pixels * (drew(who, w) ? p : 1 - p);
      }, 0);
      return Math.min(1 - EDGE, Math.max(EDGE, right / total));
    });
    const prior =
      cells.reduce((sum, [who, pixels]) => sum + pixels * (probability.get(who) as number), 0) / total;
    const next = new Map(cells.map(([who]) => [who, inside(who, prior, weight)]));
    change = cells.reduce(
      (most, [who]) => Math.max(most, Math.abs((next.get(who) as number) - (probability.get(who) as number))),
      0,
    );
    probability = next;
  }
  return { mask: likelyPixels(patterns, probability), weight, iterations };
}

function share(who: number, drawings: number): number {
  let votes = 0;
  for (let w = 0; w < drawings; w++) if (drew(who, w)) votes++;
  return votes / drawings;
}

function inside(who: number, prior: number, weight: Float64Array): number {
  let log = Math.log(prior) - Math.log(1 - prior);
  weight.forEach((p, w) => {
    log += (drew(who, w) ? 1 : -1) * (Math.log(p) - Math.log(1 - p));
  });
  if (Number.isNaN(log)) return prior;
  return 1 / (1 + Math.exp(-log));
}
