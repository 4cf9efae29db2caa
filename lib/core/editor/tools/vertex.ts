import {
  nearestEdge,
  nearestVertex,
  type Point,
  type Ring,
  ringCrossing,
  type Snap,
} from '@/lib/core/geometry';
import type { PolygonShape } from '@/lib/core/mask';
import { type DrawnShape, findShape } from '../document/document';
import { onGrid } from '../document/limits';
import { inBox, ringsOf, shapeBounds } from '../document/shape';
import type { Command } from '../history';
import { editorMessage } from '../messages';
import { hasVertex, noSelection, type Selection, selectShapes, type VertexRef } from '../selection';
import { isEditable } from '../view/view';
import { boxBetween, shapeAt, snapPoint } from './snap';
import {
  defineTool,
  isDrag,
  type Outcome,
  type PointInput,
  type Preview,
  screenPixels,
  type ToolContext,
} from './tool';

function vertexAt(shape: PolygonShape, { ring, index }: VertexRef): Point | undefined {
  const points = ringsOf(shape)[ring];
  const x = points?.[2 * index];
  const y = points?.[2 * index + 1];
  return x === undefined || y === undefined ? undefined : [x, y];
}

/** One vertex goes exactly to `to`, so that it can share a neighbour's; several keep their places to each other. */
function moveVertices(
  shape: PolygonShape,
  vertices: readonly VertexRef[],
  from: Point,
  to: Point,
): PolygonShape {
  const dx = onGrid(to[0] - from[0]);
  const dy = onGrid(to[1] - from[1]);
  const rings = ringsOf(shape).map((ring) => Float64Array.from(ring));
  for (const { ring, index } of vertices) {
    const points = rings[ring];
    if (!points || 2 * index >= points.length) continue;
    const alone = vertices.length === 1;
    points[2 * index] = alone ? to[0] : (points[2 * index] as number) + dx;
    points[2 * index + 1] = alone ? to[1] : (points[2 * index + 1] as number) + dy;
  }
  return withRings(shape, rings);
}

/** A new vertex on the edge that starts at vertex `index`. */
function insertVertex(shape: PolygonShape, { ring, index }: VertexRef, point: Point): PolygonShape {
  const rings = ringsOf(shape).map((points, i) => {
    if (i !== ring) return points;
    const numbers = Array.from(points);
    numbers.splice(2 * (index + 1), 0, point[0], point[1]);
    return Float64Array.from(numbers);
  });
  return withRings(shape, rings);
}

/** A hole left with fewer than three vertices goes; an outer ring keeps at least three, or nothing is done. */
function deleteVertices(shape: PolygonShape, vertices: readonly VertexRef[]): PolygonShape | undefined {
  const gone = new Set(vertices.map(({ ring, index }) => `${ring}:${index}`));
  const [outer, ...holes] = ringsOf(shape).map((points, ring) =>
    Float64Array.from(points).filter((_, i) => !gone.has(`${ring}:${i >> 1}`)),
  );
  if (!outer || outer.length < 6) return undefined;
  return { ...shape, outer, holes: holes.filter((hole) => hole.length >= 6) };
}

function withRings(shape: PolygonShape, [outer, ...holes]: readonly Ring[]): PolygonShape {
  return { ...shape, outer: outer ?? shape.outer, holes };
}

type PolygonTarget = { readonly id: number; readonly shape: PolygonShape };

type Grab = { readonly on: 'vertex' | 'edge'; readonly vertex: VertexRef; readonly point: Point };

/** The one selected polygon, if it may be edited. */
export function selectedPolygon(context: ToolContext): PolygonTarget | undefined {
  const [id, ...more] = context.selection.shapes;
  if (id === undefined || more.length > 0) return undefined;
  const found = findShape(context.document, id);
  if (!found || !isEditable(context.view, found.layer.label)) return undefined;
  return asTarget(found.drawn);
}

/** The topmost editable polygon whose border is within reach. */
function polygonNear(point: Point, context: ToolContext): PolygonTarget | undefined {
  for (const layer of context.document.layers.toReversed()) {
    if (!isEditable(context.view, layer.label)) continue;
    for (const drawn of layer.shapes.toReversed()) {
      const target = asTarget(drawn);
      if (target && grab(point, target.shape, context)) return target;
    }
  }
  return undefined;
}

function grab(point: Point, shape: PolygonShape, context: ToolContext): Grab | undefined {
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

type Held = {
  readonly id: number;
  /** The polygon as it was, or with the vertex that this gesture inserts. */
  readonly shape: PolygonShape;
  readonly vertices: readonly VertexRef[];
  readonly from: Point;
  readonly inserts: boolean;
};

export type VertexState =
  | { readonly name: 'idle' }
  | ({ readonly name: 'pointing' } & Held)
  | ({ readonly name: 'dragging'; readonly to: Point } & Held)
  | { readonly name: 'boxing'; readonly from: Point; readonly to: Point };

const idle: VertexState = { name: 'idle' };

export const vertex = defineTool<'vertex', VertexState>({
  id: 'vertex',
  key: 'A',
  cursor: 'default',
  draws: false,
  press: 'click',
  idle,
  on(state, input, context) {
    if (input.type !== 'down' && input.type !== 'move' && input.type !== 'up') return { state };
    if (state.name === 'idle') return input.type === 'down' ? press(input, context) : { state };
    return editVertices(state, input, context);
  },
  preview: (state) => vertexPreview(state),
});

/** Goes on with a press on a handle, from whatever tool it began. */
export function editVertices(
  state: VertexState,
  input: PointInput,
  context: ToolContext,
): Outcome<VertexState> {
  switch (state.name) {
    case 'idle':
      return { state };
    case 'pointing':
      return hold(state, input, context);
    case 'dragging':
      return drag(state, input, context);
    case 'boxing':
      if (input.type !== 'up') return { state: { ...state, to: input.point } };
      return { state: idle, selection: boxed(state.from, input, context) };
  }
}

export function vertexPreview(state: VertexState): readonly Preview[] {
  if (state.name === 'boxing') return [{ kind: 'box', box: boxBetween(state.from, state.to) }];
  if (state.name === 'idle') return [];
  const shape = state.name === 'dragging' ? moved(state) : state.shape;
  const crossing = state.name === 'dragging' ? newCrossing(state, shape) : undefined;
  return [{ kind: 'replaced', id: state.id, shape, vertices: state.vertices, ...(crossing && { crossing }) }];
}

/** Beyond so many vertices a crossing is looked for at the end only, not with every move. */
const MAX_LIVE_VERTICES = 2000;

/** Where an outline runs across itself that did not before. Older ones stay as they are. */
function newCrossing({ shape: before }: Held, after: PolygonShape, isLive = true): Point | undefined {
  for (const [i, ring] of ringsOf(after).entries()) {
    if (isLive && ring.length / 2 > MAX_LIVE_VERTICES) continue;
    const at = ringCrossing(ring);
    const earlier = ringsOf(before)[i];
    if (at && !(earlier && ringCrossing(earlier))) return at;
  }
  return undefined;
}

function press(input: PointInput, context: ToolContext): Outcome<VertexState> {
  const chosen = selectedPolygon(context);
  const found = chosen && grab(input.point, chosen.shape, context);
  if (chosen && found) return take(chosen, found, input, context);
  const near = polygonNear(input.point, context);
  const nearGrab = near && grab(input.point, near.shape, context);
  if (near && nearGrab)
    return take(near, nearGrab, input, { ...context, selection: selectShapes([near.id]) });
  const inside = shapeAt(input.point, context);
  if (inside && inside.drawn.id !== chosen?.id)
    return { state: idle, selection: selectShapes([inside.drawn.id]) };
  return { state: { name: 'boxing', from: input.point, to: input.point } };
}

export function take(
  target: PolygonTarget,
  found: Grab,
  input: PointInput,
  context: ToolContext,
): Outcome<VertexState> {
  if (found.on === 'edge') {
    const at: Point = [onGrid(found.point[0]), onGrid(found.point[1])];
    const added: VertexRef = { ring: found.vertex.ring, index: found.vertex.index + 1 };
    const shape = insertVertex(target.shape, found.vertex, at);
    return {
      state: { name: 'pointing', id: target.id, shape, vertices: [added], from: at, inserts: true },
      selection: { shapes: [target.id], vertices: [added] },
    };
  }
  if (input.clicks === 2) return { state: idle, ...deletion(target, [found.vertex]) };
  const vertices = chosenVertices(found.vertex, input.shift, context.selection);
  return {
    state: {
      name: 'pointing',
      id: target.id,
      shape: target.shape,
      vertices,
      from: found.point,
      inserts: false,
    },
    selection: { shapes: [target.id], vertices },
  };
}

function chosenVertices(vertex: VertexRef, more: boolean, selection: Selection): readonly VertexRef[] {
  if (hasVertex(selection, vertex)) return selection.vertices;
  return more ? [...selection.vertices, vertex] : [vertex];
}

type Pointing = Extract<VertexState, { name: 'pointing' }>;
type Dragging = Extract<VertexState, { name: 'dragging' }>;

function hold(state: Pointing, input: PointInput, context: ToolContext): Outcome<VertexState> {
  if (input.type === 'up')
    return state.inserts ? { state: idle, command: replaceCommand(state, state.shape) } : { state: idle };
  if (!isDrag(state.from, input.point, context)) return { state };
  return drag({ ...state, name: 'dragging', to: state.from }, input, context);
}

function drag(state: Dragging, input: PointInput, context: ToolContext): Outcome<VertexState> {
  const dragged: Dragging = { ...state, to: snapPoint(input.point, context, [state.id]).point };
  if (input.type !== 'up') return { state: dragged };
  const shape = moved(dragged);
  if (newCrossing(state, shape, false))
    return { state: idle, announce: editorMessage('wouldCross'), isRefused: true };
  return { state: idle, command: replaceCommand(state, shape) };
}

function moved(state: Dragging): PolygonShape {
  return moveVertices(state.shape, state.vertices, state.from, state.to);
}

function replaceCommand({ id, inserts, vertices }: Held, shape: PolygonShape): Command {
  return {
    name: inserts ? 'insert-vertex' : 'move-vertices',
    message: inserts
      ? editorMessage('pointInserted')
      : editorMessage('pointsMoved', { count: vertices.length }),
    edits: [{ kind: 'replace', id, shapes: [shape] }],
  };
}

function boxed(from: Point, input: PointInput, context: ToolContext): Selection {
  const chosen = selectedPolygon(context);
  if (!chosen || !isDrag(from, input.point, context)) return noSelection;
  const box = boxBetween(from, input.point);
  const found = ringsOf(chosen.shape).flatMap((points, ring) =>
    Array.from({ length: points.length / 2 }, (_, index) => ({ ring, index })).filter((vertex) =>
      inBox(vertexAt(chosen.shape, vertex) as Point, box),
    ),
  );
  const vertices = input.shift
    ? [...context.selection.vertices, ...found.filter((vertex) => !hasVertex(context.selection, vertex))]
    : found;
  return { shapes: [chosen.id], vertices };
}

/** Removes vertices of a polygon, for the double click and for the Delete key. */
export function deletion(
  target: PolygonTarget,
  vertices: readonly VertexRef[],
): Pick<Outcome, 'command' | 'announce' | 'selection'> {
  const shape = deleteVertices(target.shape, vertices);
  if (!shape) return { announce: editorMessage('keepsThreePoints') };
  const message = editorMessage('pointsDeleted', { count: vertices.length });
  return {
    command: {
      name: 'delete-vertices',
      message,
      edits: [{ kind: 'replace', id: target.id, shapes: [shape] }],
    },
    selection: selectShapes([target.id]),
  };
}
