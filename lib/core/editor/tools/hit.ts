import type { Box, Point } from '@/lib/core/geometry';
import type { AnnotationDocument, DrawnShape, LabelLayer, ShapeId } from '../document/document';
import { boxesMeet, coversPoint, shapeBounds } from '../document/shape';
import { isEditable } from '../view/view';
import type { ToolContext } from './tool';

export type Hit = { readonly layer: LabelLayer; readonly drawn: DrawnShape };

/** The topmost added shape under a point that may be edited: later labels and later shapes lie on top. */
export function shapeAt(point: Point, context: ToolContext): Hit | undefined {
  for (const layer of context.document.layers.toReversed()) {
    if (!isEditable(context.view, layer.label)) continue;
    const drawn = layer.shapes.findLast(({ shape }) => shape.op === 'add' && coversPoint(shape, point));
    if (drawn) return { layer, drawn };
  }
  return undefined;
}

/** The editable added shapes whose bounds meet the box. */
export function shapesIn(box: Box, context: ToolContext): ShapeId[] {
  return context.document.layers
    .filter((layer) => isEditable(context.view, layer.label))
    .flatMap((layer) => layer.shapes)
    .filter(({ shape }) => shape.op === 'add' && boxesMeet(shapeBounds(shape), box))
    .map(({ id }) => id);
}

/** Every editable added shape, in the order in which keys step through them. */
export function editableShapes(document: AnnotationDocument, view: ToolContext['view']): ShapeId[] {
  return document.layers
    .filter((layer) => isEditable(view, layer.label))
    .flatMap((layer) => layer.shapes.filter(({ shape }) => shape.op === 'add').map(({ id }) => id));
}

export function boxBetween([ax, ay]: Point, [bx, by]: Point): Box {
  return [Math.min(ax, bx), Math.min(ay, by), Math.abs(bx - ax), Math.abs(by - ay)];
}
