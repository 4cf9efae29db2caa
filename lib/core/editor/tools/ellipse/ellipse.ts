import type { Point } from '@/lib/core/geometry';
import { onGrid } from '../../document/limits';
import { defineTool } from '../tool';
import { evenCorner, ringOutcome } from '../two-point/ring-command';
import { twoPointTool } from '../two-point/two-point-tool';

/** How far an edge may stay inside of the true ellipse, in pixels: below what a pixel shows. */
const SAGITTA = 0.25;
const FEWEST = 12;
const MOST = 256;

/** Inscribed in the box of the two corners, clockwise on screen from its right. */
export function ellipseRing(from: Point, to: Point, even: boolean): number[] {
  const [bx, by] = even ? evenCorner(from, to) : to;
  const centreX = (from[0] + bx) / 2;
  const centreY = (from[1] + by) / 2;
  const radiusX = Math.abs(bx - from[0]) / 2;
  const radiusY = Math.abs(by - from[1]) / 2;
  const count = vertexCount(Math.max(radiusX, radiusY));
  return Array.from({ length: 2 * count }, (_, i) => {
    const angle = (Math.PI * (i - (i % 2))) / count;
    return onGrid(i % 2 === 0 ? centreX + radiusX * Math.cos(angle) : centreY + radiusY * Math.sin(angle));
  });
}

function vertexCount(radius: number): number {
  if (radius <= SAGITTA) return FEWEST;
  return Math.min(MOST, Math.max(FEWEST, Math.ceil(Math.PI / Math.acos(1 - SAGITTA / radius))));
}

export const ellipse = defineTool({
  id: 'ellipse',
  ...twoPointTool({
    key: 'O',
    preview: (from, to, even) => ({ kind: 'ring', op: 'add', ring: ellipseRing(from, to, even) }),
    finish: (from, to, even, context) =>
      ringOutcome('draw-ellipse', 'ellipse', ellipseRing(from, to, even), context),
  }),
});
