import type { AnnotationDocument, DrawnShape } from '../document/document';
import { applyEdits, type Edit } from '../document/edits';
import { MAX_SHAPES, MAX_VERTICES } from '../document/limits';
import { subtractOthers } from '../document/masks';
import { boxesMeet, shapeBounds } from '../document/shape';
import { documentVertices, shapeProblem } from '../document/validate';
import { type Command, record } from '../history';
import { type EditorMessage, editorMessage } from '../messages';
import { stillThere } from '../selection';
import { isLocked } from '../view/view';
import { announce, type EditorState, nameOf, type Step } from './state';

export type Committed =
  | { readonly ok: true; readonly step: Step }
  | { readonly ok: false; readonly problem: EditorMessage };

/** Carries a command out as one entry of the history, under the project's rules, or says why not. */
export function commit(state: EditorState, given: Command): Committed {
  const command = { ...given, edits: given.edits.map((edit) => inInstance(state, edit)) };
  if (state.settings.readOnly) return { ok: false, problem: editorMessage('readOnly') };
  const edited = applyEdits(state.document, command.edits);
  if (edited === state.document) return { ok: true, step: { state, effects: [] } };
  const after = state.settings.subtractOthers ? subtractOthers(state.document, edited, state.wholes) : edited;
  const added = newShapes(state.document, after);
  const problem = lockProblem(state, after) ?? limitProblem(state, after, added);
  if (problem) return { ok: false, problem };
  const outside = added.some(({ shape }) => shape.op === 'add' && isOutside(shape, after));
  return {
    ok: true,
    step: {
      state: {
        ...state,
        document: after,
        history: record(state.history, { command, before: state.document, after, instance: state.instance }),
        selection: stillThere(state.selection, after),
        abandoned: undefined,
      },
      effects: [
        { kind: 'commit', way: 'do', command, document: after },
        announce(outside ? editorMessage('outside', { what: command.message }) : command.message),
      ],
    },
  };
}

/** Tools draw shapes of a label; they belong to the instance that is drawn. */
function inInstance({ label, instance }: EditorState, edit: Edit): Edit {
  if (edit.kind !== 'insert' || edit.label !== label || instance === 1) return edit;
  return { ...edit, shapes: edit.shapes.map((shape) => ({ ...shape, instance })) };
}

function newShapes(before: AnnotationDocument, after: AnnotationDocument): DrawnShape[] {
  const known = new Set<DrawnShape>();
  const changed = after.layers.filter((layer) => !before.layers.includes(layer));
  for (const { shapes } of before.layers) for (const drawn of shapes) known.add(drawn);
  return changed.flatMap(({ shapes }) => shapes.filter((drawn) => !known.has(drawn)));
}

function lockProblem(state: EditorState, after: AnnotationDocument): EditorMessage | undefined {
  const locked = after.layers.find(
    (layer) => isLocked(state.view, layer.label) && !state.document.layers.includes(layer),
  );
  return locked && editorMessage('locked', { label: nameOf(state, locked.label) });
}

function limitProblem(
  state: EditorState,
  after: AnnotationDocument,
  added: readonly DrawnShape[],
): EditorMessage | undefined {
  if (documentVertices(after) > MAX_VERTICES) return editorMessage('tooManyPoints', { limit: MAX_VERTICES });
  const full = after.layers.find((layer) => layer.shapes.length > MAX_SHAPES);
  if (full) return editorMessage('tooManyShapes', { label: nameOf(state, full.label), limit: MAX_SHAPES });
  return added.some(({ shape }) => shapeProblem(shape, after)) ? editorMessage('shapeRefused') : undefined;
}

function isOutside(shape: DrawnShape['shape'], { height, width }: AnnotationDocument): boolean {
  return !boxesMeet(shapeBounds(shape), [0, 0, width, height]);
}
