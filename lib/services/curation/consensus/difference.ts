import { decodeCounts, iou } from '@/lib/core/mask';
import type { Merged } from './merged';
import type { AnsweredItem, CurrentLabel } from './read-items';

/** Labels that people or files made, or that a curator accepted, stand above what the crowd says. */
export const isKept = (label: CurrentLabel | null): boolean =>
  label !== null && (label.isAccepted || (label.source !== 'answer' && label.source !== 'consensus'));

export interface Difference {
  isChanged: boolean;
  /** Attributes that come to be marked, and that no longer are. */
  added: string[];
  removed: string[];
  /** Of masks: there is something where there was nothing, or the other way round. */
  appears: boolean;
  vanishes: boolean;
  /** Of the two masks, where there are two. */
  iou: number | null;
}

const positives = (value: { kind: string; choices?: Record<string, string[]>; className?: string }) =>
  value.className === undefined
    ? Object.values(value.choices ?? {})
        .flat()
        .filter((id) => id !== 'none')
    : [value.className];

/** How a merged answer differs from the label that is current. */
export function differenceOf(item: AnsweredItem, merged: Merged): Difference {
  const before = item.label;
  const [old, fresh] = [new Set(before ? positives(before.value) : []), new Set(positives(merged.value))];
  const added = [...fresh].filter((id) => !old.has(id));
  const removed = [...old].filter((id) => !fresh.has(id));
  const isSameMask = (before?.mask ?? null) === merged.mask;
  const measured =
    before?.mask && merged.mask && !isSameMask
      ? iou(
          decodeCounts(before.mask, item.height, item.width),
          decodeCounts(merged.mask, item.height, item.width),
        )
      : null;
  return {
    isChanged: before === null || added.length > 0 || removed.length > 0 || !isSameMask,
    added,
    removed,
    appears: before !== null && before.mask === null && merged.mask !== null,
    vanishes: before !== null && before.mask !== null && merged.mask === null,
    iou: isSameMask && merged.mask ? 1 : measured,
  };
}
