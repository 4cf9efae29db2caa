import type { Point } from '@/lib/core/geometry';
import { area, exclusive, merge, type PolygonShape } from '@/lib/core/mask';
import type { DrawnShape } from '../../document/document';
import { layerOf } from '../../document/document';
import { shapeMask } from '../../document/masks';
import { boxesMeet, shapeBounds } from '../../document/shape';
import { editorMessage } from '../../messages';
import { isSelected } from '../../selection';
import { boxBetween } from '../hit';
import { defineTool, type Outcome, type ToolContext } from '../tool';
import { twoPointTool } from '../two-point/two-point-tool';
import { type SlicedArea, sliceArea } from './slice-area';
import { slicePolygon } from './slice-polygon';

/** Pixels that may change sides per pixel of the bounds' perimeter, as the cut's ends are put on the grid. */
const ROUNDING = 0.5;

export const slice = defineTool({
  id: 'slice',
  ...twoPointTool({
    key: 'K',
    preview: (from, to) => ({ kind: 'line', from, to }),
    finish: (from, to, _even, context) => sliceAll(from, to, context),
  }),
});

/**
 * Cuts the selected shapes of the current label, or all of them when none is selected: by their vertices where all
 * that the line crosses are polygons, else along the pixels.
 */
function sliceAll(from: Point, to: Point, context: ToolContext): Omit<Outcome, 'state'> {
  const layer = layerOf(context.document, context.label);
  const added = layer?.shapes.filter(({ shape }) => shape.op === 'add') ?? [];
  const selected = added.filter(({ id }) => isSelected(context.selection, id));
  const shapes = selected.length > 0 ? selected : added;
  const crossed = shapes.filter(({ shape }) => boxesMeet(shapeBounds(shape), boxBetween(from, to)));
  const sliced =
    (crossed.every(({ shape }) => shape.kind === 'polygon') && slicePolygons(crossed, from, to, context)) ||
    (layer && sliceArea(context.document, layer, shapes, from, to));
  if (!sliced) return { announce: editorMessage('sliceAcross') };
  const { edits, pieces } = sliced;
  return { command: { name: 'slice', message: editorMessage('sliced', { count: pieces }), edits } };
}

function slicePolygons(
  shapes: readonly DrawnShape[],
  from: Point,
  to: Point,
  context: ToolContext,
): SlicedArea | undefined {
  const edits = shapes.flatMap((drawn) => {
    const pieces = cut(drawn, from, to, context);
    return pieces ? [{ kind: 'replace', id: drawn.id, shapes: pieces } as const] : [];
  });
  const pieces = edits.reduce((sum, edit) => sum + edit.shapes.length, 0);
  return pieces > 0 ? { edits, pieces } : undefined;
}

function cut(
  { shape }: DrawnShape,
  from: Point,
  to: Point,
  { document }: ToolContext,
): PolygonShape[] | undefined {
  if (shape.kind !== 'polygon') return undefined;
  const pieces = slicePolygon(shape, from, to);
  if (!pieces) return undefined;
  const mask = (one: PolygonShape) => shapeMask(one, document.height, document.width);
  // A ring that crosses itself has no two sides; its pieces would not cover what it covered.
  const changed = area(exclusive(mask(shape), merge(pieces.map(mask))));
  const [, , width, height] = shapeBounds(shape);
  return changed <= ROUNDING * 2 * (width + height) ? pieces : undefined;
}
