import type { AnnotationDocument, DrawnShape } from '../document/document';
import { applyEdits } from '../document/edits';
import { MAX_SHAPES, MAX_VERTICES } from '../document/limits';
import { boxesMeet, shapeBounds } from '../document/shape';
import { subtractOthers } from '../document/subtract-others';
import { documentVertices, shapeProblem } from '../document/validate';
import { type Command, record } from '../history';
import { stillThere } from '../selection';
import { isLocked } from '../view/view';
import { announce, type EditorState, nameOf, type Step } from './state';

export type Committed =
  | { readonly ok: true; readonly step: Step }
  | { readonly ok: false; readonly problem: string };

/** Carries a command out as one entry of the history, under the project's rules, or says why not. */
export function commit(state: EditorState, command: Command): Committed {
  if (state.settings.readOnly)
    return { ok: false, problem: 'This drawing is open elsewhere; here it is read-only.' };
  const edited = applyEdits(state.document, command.edits);
  if (edited === state.document) return { ok: true, step: { state, effects: [] } };
  const after = state.settings.subtractOthers ? subtractOthers(state.document, edited) : edited;
  const added = newShapes(state.document, after);
  const problem = lockProblem(state, after) ?? limitProblem(after, added);
  if (problem) return { ok: false, problem };
  const outside = added.some(({ shape }) => shape.op === 'add' && isOutside(shape, after));
  return {
    ok: true,
    step: {
      state: {
        ...state,
        document: after,
        history: record(state.history, { command, before: state.document, after }),
        selection: stillThere(state.selection, after),
        abandoned: undefined,
      },
      effects: [
        { kind: 'commit', way: 'do', command, document: after },
        announce(
          outside ? `${command.text}. It lies outside of the image and covers nothing.` : command.text,
        ),
      ],
    },
  };
}

function newShapes(before: AnnotationDocument, after: AnnotationDocument): DrawnShape[] {
  const known = new Set<DrawnShape>();
  const changed = after.layers.filter((layer) => !before.layers.includes(layer));
  for (const { shapes } of before.layers) for (const drawn of shapes) known.add(drawn);
  return changed.flatMap(({ shapes }) => shapes.filter((drawn) => !known.has(drawn)));
}

function lockProblem(state: EditorState, after: AnnotationDocument): string | undefined {
  const locked = after.layers.find(
    (layer) => isLocked(state.view, layer.label) && !state.document.layers.includes(layer),
  );
  return locked && `${nameOf(state, locked.label)} is locked.`;
}

function limitProblem(after: AnnotationDocument, added: readonly DrawnShape[]): string | undefined {
  if (documentVertices(after) > MAX_VERTICES)
    return `One image can have at most ${MAX_VERTICES.toLocaleString('en')} vertices.`;
  const full = after.layers.find((layer) => layer.shapes.length > MAX_SHAPES);
  if (full) return `${full.label} has ${MAX_SHAPES.toLocaleString('en')} shapes; join or delete some first.`;
  const problem = added.map(({ shape }) => shapeProblem(shape, after)).find((found) => found);
  return problem && `This shape cannot be kept: ${problem}.`;
}

function isOutside(shape: DrawnShape['shape'], { height, width }: AnnotationDocument): boolean {
  return !boxesMeet(shapeBounds(shape), [0, 0, width, height]);
}
