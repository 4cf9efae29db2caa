import type { Point } from '@/lib/core/geometry';
import { defineTool } from '../tool';
import { evenCorner, ringOutcome } from '../two-point/ring-command';
import { twoPointTool } from '../two-point/two-point-tool';

/** Clockwise on screen from the top left corner. */
export function rectangleRing(from: Point, to: Point, even: boolean): number[] {
  const [bx, by] = even ? evenCorner(from, to) : to;
  const left = Math.min(from[0], bx);
  const right = Math.max(from[0], bx);
  const top = Math.min(from[1], by);
  const bottom = Math.max(from[1], by);
  return [left, top, right, top, right, bottom, left, bottom];
}

export const rectangle = defineTool({
  id: 'rectangle',
  ...twoPointTool({
    key: 'R',
    preview: (from, to, even) => ({ kind: 'ring', op: 'add', ring: rectangleRing(from, to, even) }),
    finish: (from, to, even, context) =>
      ringOutcome('draw-rectangle', 'rectangle', rectangleRing(from, to, even), context),
  }),
});
