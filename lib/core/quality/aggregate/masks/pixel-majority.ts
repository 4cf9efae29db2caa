import type { Mask } from '@/lib/core/mask';
import type { MergedMask } from './merged';
import { drew, maskOfPatterns, patternsOf } from './patterns';

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
