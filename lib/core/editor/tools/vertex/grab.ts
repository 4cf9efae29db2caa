import { nearestEdge, nearestVertex, type Point, type Snap } from '@/lib/core/geometry';
import type { PolygonShape } from '@/lib/core/mask';
import { type DrawnShape, findShape } from '../../document/document';
import { inBox, ringsOf, shapeBounds } from '../../document/shape';
import type { VertexRef } from '../../selection';
import { isEditable } from '../../view/view';
import { screenPixels, type ToolContext } from '../tool';

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
  const reach = screenPixels(context.reach, context);
  if (!inBox(point, shapeBounds(shape), reach)) return undefined;
  return (
    nearest('vertex', point, shape, (x, y, ring) => nearestVertex(x, y, ring, reach)) ??
    nearest('edge', point, shape, (x, y, ring) => nearestEdge(x, y, ring, reach))
  );
}

/** Edges shorter than this, in screen pixels, have no insertion point: it would lie on the vertices. */
const SHORTEST_SPLIT = 32;

/** Where a vertex can be inserted by its handle: the middles of the edges that are long enough. */
export function insertionPoints(shape: PolygonShape, zoom: number): Grab[] {
  return ringsOf(shape).flatMap((points, ring) => {
    const found: Grab[] = [];
    for (let i = 0; i < points.length; i += 2) {
      const next = (i + 2) % points.length;
      const [ax, ay, bx, by] = [points[i], points[i + 1], points[next], points[next + 1]] as [
        number,
        number,
        number,
        number,
      ];
      if (Math.hypot(bx - ax, by - ay) * zoom < SHORTEST_SPLIT) continue;
      found.push({ on: 'edge', vertex: { ring, index: i / 2 }, point: [(ax + bx) / 2, (ay + by) / 2] });
    }
    return found;
  });
}

/** The handle under the pointer: a vertex, or else an insertion point. The rest of an edge is none. */
export function handleAt(point: Point, shape: PolygonShape, context: ToolContext): Grab | undefined {
  const found = grab(point, shape, context);
  if (found?.on !== 'edge') return found;
  const reach = screenPixels(context.reach, context);
  return insertionPoints(shape, context.view.camera.zoom).find(
    (handle) => Math.hypot(handle.point[0] - point[0], handle.point[1] - point[1]) <= reach,
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
