import type { Point } from '@/lib/core/geometry';
import { type AnnotationDocument, findShape, type ShapeId } from '../document/document';
import { movedShape } from '../document/shape';
import type { Command } from '../history';
import { editorMessage } from '../messages';
import { isSelected, noSelection, selectShapes } from '../selection';
import { isEditable } from '../view/view';
import { boxBetween, shapeAt, shapesIn } from './snap';
import { defineTool, isDrag, type Outcome, type PointInput, type ToolContext } from './tool';
import { editVertices, handleAt, selectedPolygon, take, type VertexState, vertexPreview } from './vertex';

type SelectState =
  | { readonly name: 'idle' }
  | { readonly name: 'pointing'; readonly from: Point; readonly id: ShapeId }
  | { readonly name: 'dragging'; readonly from: Point; readonly to: Point; readonly ids: readonly ShapeId[] }
  | { readonly name: 'boxing'; readonly from: Point; readonly to: Point }
  /** A handle of the selected shape is pressed. */
  | { readonly name: 'editing'; readonly vertex: VertexState };

const idle: SelectState = { name: 'idle' };

export const select = defineTool<'select', SelectState>({
  id: 'select',
  key: 'V',
  cursor: 'default',
  draws: false,
  press: 'click',
  idle,
  on(state, input, context) {
    if (input.type !== 'down' && input.type !== 'move' && input.type !== 'up') return { state };
    switch (state.name) {
      case 'idle':
        return input.type === 'down' ? press(input, context) : { state };
      case 'pointing':
        if (input.type === 'up') return { state: idle, selection: clicked(state.id, input.shift, context) };
        return isDrag(state.from, input.point, context)
          ? drag(state.from, state.id, input, context)
          : { state };
      case 'dragging':
        if (input.type !== 'up') return { state: { ...state, to: input.point } };
        return {
          state: idle,
          command: moveCommand(context.document, state.ids, offset(state.from, input.point)),
        };
      case 'editing':
        return edited(editVertices(state.vertex, input, context));
      case 'boxing':
        if (input.type !== 'up') return { state: { ...state, to: input.point } };
        return { state: idle, selection: boxed(state.from, input, context) };
    }
  },
  preview(state) {
    if (state.name === 'boxing') return [{ kind: 'box', box: boxBetween(state.from, state.to) }];
    if (state.name === 'editing') return vertexPreview(state.vertex);
    if (state.name !== 'dragging') return [];
    const [dx, dy] = offset(state.from, state.to);
    return [{ kind: 'moved', ids: state.ids, dx, dy }];
  },
});

function press(input: PointInput, context: ToolContext): Outcome<SelectState> {
  const chosen = selectedPolygon(context);
  const handle = chosen && handleAt(input.point, chosen.shape, context);
  if (chosen && handle && !input.shift) return edited(take(chosen, handle, input, context));
  const hit = shapeAt(input.point, context);
  return hit
    ? { state: { name: 'pointing', from: input.point, id: hit.drawn.id } }
    : { state: { name: 'boxing', from: input.point, to: input.point } };
}

function edited({ state, ...outcome }: Outcome<VertexState>): Outcome<SelectState> {
  return { ...outcome, state: state.name === 'idle' ? idle : { name: 'editing', vertex: state } };
}

function clicked(id: ShapeId, more: boolean, { selection }: ToolContext) {
  if (!more) return selectShapes([id]);
  return selectShapes(
    isSelected(selection, id) ? selection.shapes.filter((other) => other !== id) : [...selection.shapes, id],
  );
}

function drag(from: Point, id: ShapeId, input: PointInput, context: ToolContext): Outcome<SelectState> {
  const chosen = isSelected(context.selection, id) ? context.selection.shapes : [id];
  const ids = chosen.filter((other) => {
    const found = findShape(context.document, other);
    return found && isEditable(context.view, found.layer.label);
  });
  return { state: { name: 'dragging', from, to: input.point, ids }, selection: selectShapes(chosen) };
}

function boxed(from: Point, input: PointInput, context: ToolContext) {
  if (!isDrag(from, input.point, context)) return input.shift ? context.selection : noSelection;
  const found = shapesIn(boxBetween(from, input.point), context);
  return selectShapes(input.shift ? [...new Set([...context.selection.shapes, ...found])] : found);
}

function offset(from: Point, to: Point): Point {
  return [to[0] - from[0], to[1] - from[1]];
}

export function moveCommand(document: AnnotationDocument, ids: readonly ShapeId[], [dx, dy]: Point): Command {
  const edits = ids.flatMap((id) => {
    const found = findShape(document, id);
    return found ? [{ kind: 'replace', id, shapes: [movedShape(found.drawn.shape, dx, dy)] } as const] : [];
  });
  return {
    name: 'move-shapes',
    message: editorMessage('shapesMoved', { count: ids.length }),
    edits,
  };
}
