import { type Point, ringCrossing } from '@/lib/core/geometry';
import type { PolygonShape } from '@/lib/core/mask';
import { onGrid } from '../../document/limits';
import { inBox, ringsOf } from '../../document/shape';
import type { Command } from '../../history';
import { editorMessage } from '../../messages';
import { hasVertex, noSelection, type Selection, selectShapes, type VertexRef } from '../../selection';
import { boxBetween, shapeAt } from '../hit';
import { snapPoint } from '../snap';
import { defineTool, isDrag, type Outcome, type PointInput, type Preview, type ToolContext } from '../tool';
import { type Grab, grab, type PolygonTarget, polygonNear, selectedPolygon } from './grab';
import { deleteVertices, insertVertex, moveVertices, vertexAt } from './vertices';

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
