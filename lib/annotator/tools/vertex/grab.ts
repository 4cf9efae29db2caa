import { nearestEdge, nearestVertex, type Point, type Snap } from '@/lib/geometry';
import type { PolygonShape } from '@/lib/mask';
import { type DrawnShape, findShape } from '../../document/document';
import { inBox, ringsOf, shapeBounds } from '../../document/shape';
import type { VertexRef } from '../../selection';
import { isEditable } from '../../view/view';
import { screenPixels, type ToolContext } from '../tool';

/** How near the pointer takes hold of a vertex or an edge, in screen pixels. */
const GRAB_RADIUS = 8;

export type PolygonTarget = { readonly id: number; readonly shape: PolygonShape };

export type Grab = { readonly on: 'vertex' | 'edge'; readonly vertex: VertexRef; readonly point: Point };

/** The one selected polygon, if it may be edited. */
export function selectedPolygon(context: ToolContext): PolygonTarget | undefined {
  const [id, ...more] = context.selection.shapes;
  if (id === undefined || more.length > 0) return undefined;
  const found = findShape(context.document, id);
  if (!found || !isEditable(context.view, found.layer.label)) return undefined;
  return asTarget(found.drawn);
}

/** The topmost editable polygon whose border is within reach. */
export function polygonNear(point: Point, context: ToolContext): PolygonTarget | undefined {
  for (const layer of context.document.layers.toReversed()) {
    if (!isEditable(context.view, layer.label)) continue;
    for (const drawn of layer.shapes.toReversed()) {
      const target = asTarget(drawn);
      if (target && grab(point, target.shape, context)) return target;
    }
  }
  return undefined;
}

export function grab(point: Point, shape: PolygonShape, context: ToolContext): Grab | undefined {
  const reach = screenPixels(GRAB_RADIUS, context);
  if (!inBox(point, shapeBounds(shape), reach)) return undefined;
  return (
    nearest('vertex', point, shape, (x, y, ring) => nearestVertex(x, y, ring, reach)) ??
    nearest('edge', point, shape, (x, y, ring) => nearestEdge(x, y, ring, reach))
  );
}

function nearest(
  on: Grab['on'],
  [x, y]: Point,
  shape: PolygonShape,
  find: (x: number, y: number, ring: ArrayLike<number>) => Snap | undefined,
): Grab | undefined {
  let best: { snap: Snap; ring: number } | undefined;
  ringsOf(shape).forEach((points, ring) => {
    const snap = find(x, y, points);
    if (snap && (!best || snap.distance < best.snap.distance)) best = { snap, ring };
  });
  return best && { on, vertex: { ring: best.ring, index: best.snap.index }, point: best.snap.point };
}

function asTarget({ id, shape }: DrawnShape): PolygonTarget | undefined {
  return shape.kind === 'polygon' && shape.op === 'add' ? { id, shape } : undefined;
}
