import { iou, type Mask } from '@/lib/core/mask';
import type { MergedMask } from './merged';
import { drew, maskOfPatterns, patternsOf } from './patterns';

/** Rounds; the weights settle in a few. */
const ROUNDS = 10;
/** Nobody counts more than so many times as much as somebody else: with three people one must not own the answer. */
const MOST = 3;

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
  const bounded = raw.map((value) => Math.min(value, MOST * least));
  const sum = bounded.reduce((a, b) => a + b, 0);
  return Float64Array.from(bounded, (value) => value / sum);
}
