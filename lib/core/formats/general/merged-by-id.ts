import { merge } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import type { MaskLabel } from '../dataset';

/**
 * Several annotations of one thing, such as the wheels of a car, are one label: all their pixels, no surer than the least
 * sure. Masks of different sizes cannot be put together and stay apart.
 */
export function mergedById(labels: readonly MaskLabel[]): MaskLabel[] {
  const groups = groupBy(labels, ({ id, mask }) => `${mask.width}×${mask.height} ${id}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length === 1) return same;
    return [
      {
        ...first,
        confidence: same.reduce((least, { confidence }) => Math.min(least, confidence), 1),
        mask: merge(same.map(({ mask }) => mask)),
      },
    ];
  });
}
