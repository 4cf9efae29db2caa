import { findShape, type ShapeId } from '../../document/document';
import { editorMessage } from '../../messages';
import { selectShapes } from '../../selection';
import { shapeAt } from '../hit';
import { defineTool, type Outcome, type PointInput, type ToolContext } from '../tool';
import { joinEdits } from './join-shapes';

type JoinState = { readonly name: 'idle' } | { readonly name: 'picked'; readonly id: ShapeId };

const idle: JoinState = { name: 'idle' };

export const join = defineTool<'join', JoinState>({
  id: 'join',
  key: 'J',
  cursor: 'pointer',
  draws: false,
  press: 'click',
  idle,
  on(state, input, context) {
    if (input.type === 'down') return pick(state, input, context);
    if (input.type === 'confirm' && state.name === 'idle') return joined(context.selection.shapes, context);
    return { state };
  },
  preview: () => [],
});

function pick(state: JoinState, input: PointInput, context: ToolContext): Outcome<JoinState> {
  const hit = shapeAt(input.point, context);
  if (!hit) return { state, announce: editorMessage('noShapeHere') };
  const { id } = hit.drawn;
  if (state.name === 'picked' && state.id !== id) return joined([state.id, id], context);
  return {
    state: { name: 'picked', id },
    selection: selectShapes([id]),
    announce: editorMessage('pickOther'),
  };
}

function joined(ids: readonly ShapeId[], context: ToolContext): Outcome<JoinState> {
  const layers = new Set(ids.map((id) => findShape(context.document, id)?.layer));
  const [layer] = layers;
  if (!layer || ids.length < 2) return { state: idle, announce: editorMessage('joinTwo') };
  if (layers.size > 1) return { state: idle, announce: editorMessage('joinOneLabel') };
  const edits = joinEdits(context.document, layer, ids);
  if (!edits) return { state: idle, announce: editorMessage('joinTouching') };
  return {
    state: idle,
    command: { name: 'join', message: editorMessage('joined', { count: ids.length }), edits },
    selection: selectShapes(ids),
  };
}
