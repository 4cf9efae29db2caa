import type { AssistUse } from '@/lib/core/quality/answer';
import type { DrawnShape, LabelLayer, Origin } from './document';
import { plainOrigin } from './json';
import { boxesMeet, shapeBounds } from './shape';

/**
 * The suggestions that are in a label's drawing, oldest first. One counts as edited when one of its shapes was
 * changed, or when a hand drew or erased over it later.
 */
export function assistUses({ shapes }: LabelLayer): AssistUse[] {
  const uses = new Map<string, AssistUse>();
  shapes.forEach((drawn, i) => {
    if (!drawn.origin) return;
    const name = nameOf(drawn.origin);
    const edited =
      drawn.origin.edited || (uses.get(name)?.edited ?? false) || isDrawnOver(drawn, shapes.slice(i + 1));
    uses.set(name, { ...plainOrigin(drawn.origin), edited });
  });
  return [...uses.values()];
}

/** Two suggestions of one drawing do not agree in every millisecond. */
function nameOf(origin: Origin): string {
  return JSON.stringify({ ...plainOrigin(origin), edited: false });
}

function isDrawnOver({ shape }: DrawnShape, later: readonly DrawnShape[]): boolean {
  const bounds = shapeBounds(shape);
  // No hand draws a bitmap: those come from rules such as "subtract other parts".
  return later.some(
    (other) => !other.origin && other.shape.kind !== 'bitmap' && boxesMeet(shapeBounds(other.shape), bounds),
  );
}
