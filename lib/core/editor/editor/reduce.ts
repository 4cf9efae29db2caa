import { adoptLayer, type LabelLayer, layerOf } from '../document/document';
import { firstInstance } from '../document/instances';
import { emptyHistory } from '../history';
import { type KeyPress, keyName, shortcutFor, withChoices } from '../key-press';
import { noSelection, stillThere } from '../selection';
import type { ActionId, Shortcut } from '../shortcuts';
import { toolOf } from '../tools';
import { reduceAction } from './actions';
import { chooseTool, feedTool, resumeOutline } from './gesture';
import type { EditorInput, KeyInput } from './input';
import { chooseInstance, followSelection } from './instances';
import { reducePinch, reducePointer, reduceWheel } from './pointer';
import { type EditorState, followedBy, isIdle, type Step, stay } from './state';
import { chooseLabel, freshTarget } from './targets';

/** The whole editor: a state and an input give a state and what the outside has to do. */
export function reduceEditor(state: EditorState, input: EditorInput): Step {
  const step = reduceInput(state, input);
  return followedBy(step, (now) => followSelection(state, now));
}

function reduceInput(state: EditorState, input: EditorInput): Step {
  switch (input.type) {
    case 'pointer-down':
    case 'pointer-move':
    case 'pointer-up':
    case 'pointer-cancel':
      return reducePointer(state, input);
    case 'wheel':
      return stay(reduceWheel(state, input));
    case 'pinch':
      return stay(reducePinch(state, input));
    case 'key-down':
      return keyDown(state, input);
    case 'key-up':
      return stay(keyUp(state, input));
    case 'blur':
      return stay({ ...state, held: new Set(), panning: undefined });
    case 'action':
      return reduceAction(state, input.action, input.time, input.isConfirmed);
    case 'label':
      return chooseLabel(state, input.label);
    case 'instance':
      return chooseInstance(state, input.instance);
    case 'select':
      return stay({ ...state, selection: stillThere(input.selection, state.document) });
    case 'view':
      return stay({ ...state, view: { ...state.view, ...input.view } });
    case 'settings':
      return stay({ ...state, settings: { ...state.settings, ...input.settings } });
    case 'keys':
      return stay({ ...state, shortcuts: withChoices(input.choices) });
    case 'edges':
      return stay({ ...state, edges: input.edges });
    case 'suggestion':
      return suggest(state, input);
    case 'resume':
      return resume(state, input);
    case 'adopt':
      return stay(adopt(state, input.layer));
    case 'open':
      return stay(open(state, input.document));
  }
}

/** What a key would do now; if anything, the page keeps the browser from doing something else with it. */
export function shortcutOf(state: EditorState, press: KeyPress): Shortcut<ActionId> | undefined {
  return shortcutFor(keyName(press), isIdle(state) ? 'canvas' : 'drawing', state.shortcuts);
}

function keyDown(state: EditorState, input: KeyInput): Step {
  const shortcut = shortcutOf(state, input);
  if (!shortcut) return stay(state);
  if (shortcut.held) return stay({ ...state, held: new Set(state.held).add(shortcut.id) });
  return reduceAction(state, shortcut.id, input.time);
}

/** Shift or Alt may have changed since the key went down: only the key itself counts. */
function keyUp(state: EditorState, input: KeyInput): EditorState {
  const name = keyName({ ...input, shift: false, alt: false, mod: false });
  const released = state.shortcuts.filter(({ held, keys }) => held && keys.includes(name));
  if (!released.some(({ id }) => state.held.has(id))) return state;
  const held = new Set<ActionId>(state.held);
  for (const { id } of released) held.delete(id);
  return { ...state, held };
}

/** A prediction that nobody asked for waits until the hand is free. */
function suggest(state: EditorState, input: Extract<EditorInput, { type: 'suggestion' }>): Step {
  if (state.tool === 'smart-region' || state.tool === 'smart-object') return feedTool(state, input);
  if (input.request !== 0 || !isIdle(state)) return stay(state);
  return followedBy(chooseTool(state, 'smart-region'), (ready) => feedTool(ready, input));
}

function resume(state: EditorState, input: Extract<EditorInput, { type: 'resume' }>): Step {
  const { tool, points, label = state.label } = input;
  if (label === state.label) return isIdle(state) ? resumeOutline(state, tool, points) : stay(state);
  const parked = state.parked.get(label) ?? freshTarget;
  return stay({
    ...state,
    parked: new Map(state.parked).set(label, { ...parked, outline: { tool, points } }),
  });
}

function adopt(state: EditorState, layer: LabelLayer): EditorState {
  const document = adoptLayer(state.document, layer);
  const parked = new Map(state.parked);
  parked.delete(layer.label);
  const adopted = { ...state, document, parked, selection: stillThere(state.selection, document) };
  if (layer.label !== state.label) return adopted;
  return {
    ...adopted,
    instance: firstInstance(layerOf(document, state.label)),
    history: emptyHistory,
    toolState: toolOf(state.tool).idle,
    abandoned: undefined,
    press: undefined,
    cursor: undefined,
  };
}

function open(state: EditorState, document: EditorState['document']): EditorState {
  const known = document.layers.some(({ label }) => label === state.label);
  const label = known ? state.label : (document.layers[0]?.label ?? '');
  return {
    ...state,
    document,
    history: emptyHistory,
    selection: noSelection,
    label,
    instance: firstInstance(layerOf(document, label)),
    toolState: toolOf(state.tool).idle,
    abandoned: undefined,
    press: undefined,
    cursor: undefined,
  };
}
