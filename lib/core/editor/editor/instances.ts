import type { LabelFlag } from '@/lib/core/schema';
import { findShape, layerOf } from '../document/document';
import { freeInstance, instanceOf, instancesOf } from '../document/instances';
import type { Command } from '../history';
import { editorMessage } from '../messages';
import { noSelection } from '../selection';
import { commit } from './commit';
import { announce, type EditorState, nameOf, refuse, type Step, stay } from './state';

/** The instances of the current label, ascending, with the one that is drawn, which may still be empty. */
export function currentInstances({ document, label, instance }: EditorState): number[] {
  const layer = layerOf(document, label);
  return [...new Set([...(layer ? instancesOf(layer) : []), instance])].sort((a, b) => a - b);
}

/** Draws on another instance from now on. An unfinished gesture goes on and belongs to it. */
export function chooseInstance(state: EditorState, instance: number): Step {
  if (instance === state.instance) return stay(state);
  const chosen = { ...state, instance, selection: noSelection };
  return stay(chosen, announce(nowDrawing(chosen)));
}

const nowDrawing = (state: EditorState) => {
  const all = currentInstances(state);
  return editorMessage('instance', {
    label: nameOf(state, state.label),
    number: all.indexOf(state.instance) + 1,
    total: all.length,
  });
};

/** What is picked up is what is drawn from then on. */
export function followSelection(before: EditorState, state: EditorState): Step {
  const last = state.selection.shapes.at(-1);
  if (last === undefined || state.selection === before.selection) return stay(state);
  const found = findShape(state.document, last);
  if (!found || found.layer.label !== state.label) return stay(state);
  const instance = instanceOf(found.drawn.shape);
  if (instance === state.instance) return stay(state);
  const chosen = { ...state, instance };
  return stay(chosen, announce(nowDrawing(chosen)));
}

export function newInstance(state: EditorState): Step {
  const problem = severalProblem(state);
  if (problem) return problem;
  const layer = layerOf(state.document, state.label);
  // There is an empty one already.
  if (layer && !instancesOf(layer).includes(state.instance)) return stay(state, announce(nowDrawing(state)));
  const instance = freeInstance(layer);
  return instance === undefined
    ? stay(state, refuse(editorMessage('tooManyInstances', { label: nameOf(state, state.label) })))
    : chooseInstance(state, instance);
}

export function stepInstance(state: EditorState, by: 1 | -1): Step {
  const all = currentInstances(state);
  const next = all[(all.indexOf(state.instance) + by + all.length) % all.length];
  if (next === undefined || next === state.instance)
    return stay(state, refuse(editorMessage('oneInstance', { label: nameOf(state, state.label) })));
  return chooseInstance(state, next);
}

/** Takes the shapes of the current instance away, and goes on with a neighbour. */
export function deleteInstance(state: EditorState): Step {
  const all = currentInstances(state);
  const at = all.indexOf(state.instance);
  const neighbour = all[at + 1] ?? all[at - 1];
  const shapes = layerOf(state.document, state.label)?.shapes ?? [];
  const own = shapes.filter(({ shape }) => instanceOf(shape) === state.instance);
  if (own.length === 0)
    return neighbour === undefined
      ? stay(state, refuse(editorMessage('oneInstance', { label: nameOf(state, state.label) })))
      : chooseInstance(state, neighbour);
  const step = run(state, {
    name: 'delete-instance',
    message: editorMessage('instanceDeleted', { label: nameOf(state, state.label), number: at + 1 }),
    edits: own.map(({ id }) => ({ kind: 'replace', id, shapes: [] })),
  });
  if (step.state.document === state.document) return step;
  return { ...step, state: { ...step.state, instance: neighbour ?? step.state.instance } };
}

/** Makes an instance of the selected shapes. */
export function separateSelection(state: EditorState): Step {
  const problem = severalProblem(state);
  if (problem) return problem;
  const ids = state.selection.shapes.filter(
    (id) => findShape(state.document, id)?.layer.label === state.label,
  );
  if (ids.length === 0) return stay(state, refuse(editorMessage('nothingSelected')));
  const instance = freeInstance(layerOf(state.document, state.label));
  if (instance === undefined)
    return stay(state, refuse(editorMessage('tooManyInstances', { label: nameOf(state, state.label) })));
  const step = run(state, {
    name: 'move-to-instance',
    message: editorMessage('instanceSeparated', { label: nameOf(state, state.label), count: ids.length }),
    edits: [{ kind: 'relabel', ids, label: state.label, instance }],
  });
  return step.state.document === state.document ? step : { ...step, state: { ...step.state, instance } };
}

export function toggleFlag(state: EditorState, flag: LabelFlag): Step {
  const layer = layerOf(state.document, state.label);
  if (!state.settings.flags.includes(flag) || !layer)
    return stay(state, refuse(editorMessage('flagNotAsked')));
  if (layer.nothing) return stay(state, refuse(editorMessage('nothingToFlag')));
  const value = !layer.flags?.includes(flag);
  return run(state, {
    name: 'set-flag',
    message: editorMessage(value ? 'flagSet' : 'flagTaken', {
      flag: { key: `flags.${flag}` },
      label: nameOf(state, state.label),
    }),
    edits: [{ kind: 'flag', label: state.label, flag, value }],
  });
}

function severalProblem(state: EditorState): Step | undefined {
  if (state.severalOf.has(state.label)) return undefined;
  return stay(state, refuse(editorMessage('notNumbered', { label: nameOf(state, state.label) })));
}

function run(state: EditorState, command: Command): Step {
  const committed = commit(state, command);
  return committed.ok ? committed.step : stay(state, refuse(committed.problem));
}
