import {
  type Box,
  nearestEdge,
  nearestVertex,
  type Point,
  type Ring,
  type TraceSide,
  traceBorder,
} from '@/lib/core/geometry';
import type { AnnotationDocument, DrawnShape, LabelLayer, ShapeId } from '../document/document';
import { onGrid } from '../document/limits';
import { boxesMeet, coversPoint, inBox, ringsOf, shapeBounds } from '../document/shape';
import { isEditable, isVisible } from '../view/view';
import { screenPixels, type ToolContext } from './tool';

type SnappedPoint = { readonly point: Point; readonly to: 'vertex' | 'edge' | undefined };

/** Off the grid of free points by at most half a step in each direction: √2 / 32, rounded up. */
const ON_BORDER = 0.05;

/** The vertex in reach, or else the nearest border point in reach, or else the point itself on the grid. */
export function snapPoint(point: Point, context: ToolContext, except: readonly ShapeId[] = []): SnappedPoint {
  const free: Point = [onGrid(point[0]), onGrid(point[1])];
  if (!context.snapping) return { point: free, to: undefined };
  const reach = screenPixels(context.settings.snapRadius, context);
  const [x, y] = point;
  const rings = [...ringsNear(point, reach, context, except)];
  const vertices = rings.flatMap((ring) => nearestVertex(x, y, ring, reach) ?? []);
  const vertex = vertices.sort((a, b) => a.distance - b.distance)[0];
  if (vertex) return { point: vertex.point, to: 'vertex' };
  const edges = rings.flatMap((ring) => nearestEdge(x, y, ring, reach) ?? []);
  const edge = edges.sort((a, b) => a.distance - b.distance)[0];
  if (edge) return { point: [onGrid(edge.point[0]), onGrid(edge.point[1])], to: 'edge' };
  return { point: free, to: undefined };
}

/** The border between two points that lie on one and the same ring, without its first point. */
export function traceBetween(
  from: Point,
  to: Point,
  side: TraceSide,
  context: ToolContext,
): Float64Array | undefined {
  for (const ring of ringsNear(to, ON_BORDER, context, [])) {
    const touches = ([x, y]: Point) => nearestEdge(x, y, ring, ON_BORDER) !== undefined;
    if (!touches(from) || !touches(to)) continue;
    const path = Float64Array.from(traceBorder(ring, from, to, side)).slice(2);
    if (path.length === 0) return undefined;
    path.set(to, path.length - 2);
    return path;
  }
  return undefined;
}

function* ringsNear(
  point: Point,
  reach: number,
  context: ToolContext,
  except: readonly ShapeId[],
): Generator<Ring> {
  for (const layer of context.document.layers) {
    if (!isVisible(context.view, layer.label)) continue;
    for (const { id, shape } of layer.shapes)
      if (shape.kind === 'polygon' && !except.includes(id) && inBox(point, shapeBounds(shape), reach))
        yield* ringsOf(shape);
  }
}

type Hit = { readonly layer: LabelLayer; readonly drawn: DrawnShape };

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
