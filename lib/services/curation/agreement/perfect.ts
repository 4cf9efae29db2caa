import type { Estimate } from '@/lib/core/quality/agreement';
import { wilson } from '@/lib/core/quality/interval';

interface Figures {
  raw: Estimate;
  ac1: Estimate;
  alpha?: Estimate;
}

/**
 * Where everybody agreed on every item, leaving items out shows no spread at all, and the interval would claim that
 * no two people will ever differ. The lower end is then what n of n items allow (Wilson), put through the formula of
 * each figure; `share` is how common the one of the two answers is.
 */
export function withoutFalseCertainty<F extends Figures>(figures: F, share: number): F {
  const { raw, ac1, alpha } = figures;
  const least = raw.value === 1 ? wilson(raw.n, raw.n)?.low : undefined;
  if (least === undefined) return figures;
  const chance = 2 * share * (1 - share);
  const lowered = (estimate: Estimate, low: number): Estimate =>
    estimate.value === 1 ? { ...estimate, low: Math.max(-1, Math.min(estimate.low, low)) } : estimate;
  return {
    ...figures,
    raw: lowered(raw, least),
    ac1: lowered(ac1, (least - chance) / (1 - chance)),
    ...(alpha && { alpha: lowered(alpha, chance > 0 ? 1 - (1 - least) / chance : -1) }),
  };
}
