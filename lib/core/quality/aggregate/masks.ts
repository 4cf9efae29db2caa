import { iou, type Mask } from '@/lib/core/mask';
import {
  drew,
  likelyPixels,
  MAX_ITERATIONS,
  type MergedMask,
  maskOfPatterns,
  patternsOf,
  TOLERANCE,
} from './mask-patterns';
import { staple } from './staple';

const EDGE = 1e-6;

/**
 * EM with one coin per worker: Lee, Das Sarma, Parameswaran, "Aggregating crowdsourced image segmentations", HCOMP
 * 2018. A worker is right about a pixel with one probability; only pixels that somebody drew count, so that the
 * background says nothing about anybody.
 */
function segmentationEm(masks: readonly Mask[]): MergedMask {
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

/** Rounds; the weights settle in a few. */
const ROUNDS = 10;
/** Nobody counts more than so many times as much as somebody else: with three people one must not own the answer. */
const MAX_WEIGHT_RATIO = 3;

/**
 * RASA: Majority vote weighted by how near each drawing is to the current result, repeated. Braylan & Lease,
 * "Modeling and aggregation of complex annotations via annotation distances", WWW 2020, and Crowd-Kit's
 * SegmentationRASA. The cap on the weights and the guard for empty unions are ours.
 */
export function rasa(masks: readonly Mask[]): MergedMask {
  const patterns = patternsOf(masks);
  let weight: Float64Array = new Float64Array(masks.length).fill(1 / masks.length);
  let mask = weighted();
  let iterations = 0;
  for (; iterations < ROUNDS; iterations++) {
    weight = capped(masks.map((drawing) => 1 / Math.max(1e-6, 1 - iou(drawing, mask))));
    mask = weighted();
  }
  return { mask, weight, iterations };

  function weighted(): Mask {
    return maskOfPatterns(patterns, (who) => {
      let sum = 0;
      for (let w = 0; w < masks.length; w++) if (drew(who, w)) sum += weight[w] as number;
      return sum >= 0.5 - 1e-9;
    });
  }
}

/** Weights that sum to 1, the largest at most MOST times the smallest. */
function capped(raw: readonly number[]): Float64Array {
  const least = Math.min(...raw);
  const bounded = raw.map((value) => Math.min(value, MAX_WEIGHT_RATIO * least));
  const sum = bounded.reduce((a, b) => a + b, 0);
  return Float64Array.from(bounded, (value) => value / sum);
}

/** Pixels that at least half of the people drew. */
export function pixelMajority(masks: readonly Mask[]): MergedMask {
  const patterns = patternsOf(masks);
  const mask = maskOfPatterns(patterns, (who) => 2 * votesIn(who, masks.length) >= masks.length);
  return { mask, weight: null, iterations: 0 };
}

function votesIn(who: number, drawings: number): number {
  let votes = 0;
  for (let w = 0; w < drawings; w++) if (drew(who, w)) votes++;
  return votes;
}

export interface MaskAggregator {
  id: string;
  name: string;
  citation: string;
  aggregate(masks: readonly Mask[]): MergedMask;
}

/** Ways to make one mask of several, simplest first. */
export const maskAggregators = [
  {
    id: 'pixel-majority',
    name: 'Pixel majority',
    citation: 'at least half of the drawings',
    aggregate: pixelMajority,
  },
  { id: 'staple', name: 'STAPLE', citation: 'Warfield et al., IEEE TMI 23 (2004)', aggregate: staple },
  { id: 'em', name: 'EM', citation: 'Lee et al., HCOMP 2018', aggregate: segmentationEm },
  {
    id: 'rasa',
    name: 'RASA, weights capped',
    citation: 'Braylan & Lease, WWW 2020',
    aggregate: rasa,
  },
] as const satisfies readonly MaskAggregator[];

export type { MergedMask } from './mask-patterns';
