import type { Variant } from '@/lib/core/robustness/types';
import { sha256Of } from '@/lib/services/storage';

/** Labels decide what these variants do to a picture. */
const LABELS = new Set(['object mask', 'part masks', 'attributes', 'attribute masks', 'donors']);

export const usesLabels = ({ needs }: Variant): boolean => needs.some((need) => LABELS.has(need));

/**
 * All that a variant's rows depend on beside model and sample: of donors the other images, of judges and of a decoder who
 * they are.
 */
export function variantKey(
  variant: Variant,
  { seed, pool, oracle, generator = '' }: { seed: number; pool: string; oracle: string; generator?: string },
): string {
  const { id, version, parameters, cells, needs } = variant;
  const settings = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  const others = [needs.includes('donors') ? pool : null, needs.includes('oracle') ? oracle : null];
  // Only where there is one: rows from before are known by the same name.
  if (needs.includes('decoder')) others.push(generator);
  return sha256Of(Buffer.from(JSON.stringify([id, version, settings, cells, seed, others])));
}
