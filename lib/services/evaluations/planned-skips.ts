import { area, boundingBox } from '@/lib/core/mask';
import type { Need, Reason } from '@/lib/core/robustness/types';
import { TINY } from '@/lib/core/robustness/variants/object-of';
import { type Entry, objectMask } from './sample-pool';

/** The needs that a reason to leave an image out comes from. */
const causes: Partial<Record<Reason, readonly Need[]>> = {
  'mask-missing': ['object mask', 'donors'],
  'mask-empty': ['object mask', 'donors'],
  'mask-tiny': ['object mask'],
  'mask-full': ['object mask'],
  'attribute-missing': ['attributes', 'attribute masks'],
};

export interface PlannedSkip {
  reason: Reason;
  images: number;
  causes: readonly Need[];
}

/**
 * Images that some variants will leave out, counted from what was drawn, at the size of the image; at the size of the
 * model a few small objects more may vanish.
 */
export function plannedSkips(entries: readonly Entry[]): PlannedSkip[] {
  const counts = new Map<Reason, number>();
  const add = (reason: Reason) => counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const { image } of entries) {
    const reason = maskReason(image);
    if (reason) add(reason);
    if (!image.attributes || (image.attributes.present.length > 0 && image.attributeMasks.length === 0))
      add('attribute-missing');
  }
  return [...counts].map(([reason, images]) => ({ reason, images, causes: causes[reason] ?? [] }));
}

function maskReason(image: Entry['image']): Reason | null {
  const mask = objectMask(image);
  if (!mask) return 'mask-missing';
  if (!boundingBox(mask)) return 'mask-empty';
  const share = area(mask) / (image.width * image.height);
  if (share === 1) return 'mask-full';
  return share < TINY ? 'mask-tiny' : null;
}
