import type { Mask } from '@/lib/core/mask';
import { maskOfPatterns, type Patterns } from './patterns';

export interface MergedMask {
  readonly mask: Mask;
  /** By drawing, how much it was believed; null where all count the same. */
  readonly weight: Float64Array | null;
  readonly iterations: number;
}

/** Keeps the pixels that are more probably in than not. A tie is in: whoever drew it saw something. */
export const likelyPixels = (patterns: Patterns, probability: ReadonlyMap<number, number>): Mask =>
  maskOfPatterns(patterns, (who) => (probability.get(who) ?? 0) >= 0.5);

export const MAX_ITERATIONS = 100;
export const TOLERANCE = 1e-6;
