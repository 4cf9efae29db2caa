import { area, decodeCounts, encodeCounts, iou, isEmpty, type Mask } from '@/lib/core/mask';
import type { MaskAggregator } from '@/lib/core/quality/aggregate/masks';
import type { Merged } from './merged';
import type { AnsweredItem } from './read-items';

/** The drawing of an answer; null for "nothing to label", and for a drawing without a pixel. */
export function drawingOf(mask: string | null, { height, width }: { height: number; width: number }) {
  const drawing = mask === null ? null : decodeCounts(mask, height, width);
  return drawing && !isEmpty(drawing) ? drawing : null;
}

/**
 * Whether there is something to draw is settled first, by the majority; where it is, by the method, among those who
 * drew. At a tie it is there: whoever drew it saw something. The confidence is the share of those who agree with the
 * first, times the mean IoU of the drawings with the result.
 */
export function mergeMasks(item: AnsweredItem, { aggregate }: MaskAggregator): Merged {
  const drawn = item.answers.flatMap(({ mask }): Mask[] => {
    const drawing = drawingOf(mask, item);
    return drawing ? [drawing] : [];
  });
  const share = drawn.length / item.answers.length;
  const ties = share === 0.5 ? 1 : 0;
  if (share < 0.5) return nothing(1 - share, ties);
  const { mask } = aggregate(drawn);
  if (isEmpty(mask)) return nothing(1 - share, ties);
  const near = drawn.reduce((sum, drawing) => sum + iou(drawing, mask), 0) / drawn.length;
  const counts = encodeCounts(mask);
  const size: [number, number] = [item.height, item.width];
  return {
    value: { kind: 'mask', shapes: [{ kind: 'bitmap', op: 'add', size, counts }] },
    mask: counts,
    area: area(mask),
    confidence: share * near,
    ties,
  };
}

const nothing = (confidence: number, ties: number): Merged => ({
  value: { kind: 'nothing' },
  mask: null,
  area: null,
  confidence,
  ties,
});
