import { layerOf } from '../document/document';
import { firstInstance } from '../document/instances';
import { emptyHistory } from '../history';
import { editorMessage } from '../messages';
import { noSelection } from '../selection';
import { toolOf } from '../tools';
import { giveUp, resumeOutline } from './gesture';
import {
  announce,
  type EditorState,
  followedBy,
  isIdle,
  nameOf,
  type Outline,
  type ParkedTarget,
  type Step,
  stay,
} from './state';

export const freshTarget: ParkedTarget = {
  instance: undefined,
  history: emptyHistory,
  abandoned: undefined,
  outline: undefined,
};

/** The labels that number keys choose, in their order. */
export function labelsOf({ targets, document }: EditorState): readonly string[] {
  return targets ?? document.layers.map(({ label }) => label);
}

/** Draws on another label from now on. Among targets each keeps its history and its unfinished outline. */
export function chooseLabel(state: EditorState, label: string | undefined): Step {
  if (label === undefined || !layerOf(state.document, label)) return stay(state);
  if (!state.targets)
    return stay(
      { ...state, label, instance: firstInstance(layerOf(state.document, label)) },
      announce(editorMessage('label', { label: nameOf(state, label) })),
    );
  const isPressed = state.press !== undefined && state.press.by !== 'keyboard';
  if (label === state.label || !state.targets.includes(label) || isPressed) return stay(state);
  const outline = unfinishedOutline(state);
  const left = isIdle(state) || outline ? state : giveUp(state);
  const { history, abandoned, instance } = left;
  const parked = new Map(state.parked).set(state.label, { instance, history, abandoned, outline });
  const next = parked.get(label) ?? freshTarget;
  parked.delete(label);
  const chosen: EditorState = {
    ...left,
    label,
    instance: next.instance ?? firstInstance(layerOf(state.document, label)),
    parked,
    history: next.history,
    abandoned: next.abandoned,
    view: { ...state.view, active: label },
    selection: noSelection,
    toolState: toolOf(state.tool).idle,
    press: undefined,
    lastClick: undefined,
  };
  const step = stay(chosen, announce(editorMessage('label', { label: nameOf(state, label) })));
  const { outline: found } = next;
  return found ? followedBy(step, (now) => resumeOutline(now, found.tool, found.points)) : step;
}

export function unfinishedOutline(state: EditorState): Outline | undefined {
  const points = toolOf(state.tool).unfinished?.(state.toolState);
  return points && points.length > 0 ? { tool: state.tool, points: Array.from(points) } : undefined;
}
