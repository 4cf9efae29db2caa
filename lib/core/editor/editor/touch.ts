import type { Point } from '@/lib/core/geometry';
import { panBy, zoomAt } from '../view/camera';
import { takeBackPress } from './gesture';
import type { EditorState } from './state';

/** `taken`: the finger pans, zooms or is a palm; the tool must not see it. */
export type TouchStep = { readonly state: EditorState; readonly taken: boolean };

/** One finger draws, unless a pen is in use; a second one turns both into pan and zoom. */
export function touchDown(state: EditorState, id: number, screen: Point): TouchStep {
  const touches = new Map(state.touches).set(id, screen);
  const down = { ...state, touches };
  if (touches.size === 1) return { state: down, taken: state.penSeen };
  const isDrawnByTouch = state.press && state.press.by !== 'keyboard' && state.touches.has(state.press.by);
  return { state: isDrawnByTouch ? takeBackPress(down) : down, taken: true };
}

export function touchMove(state: EditorState, id: number, screen: Point): TouchStep {
  const before = state.touches.get(id);
  if (!before) return { state, taken: true };
  const moved = { ...state, touches: new Map(state.touches).set(id, screen) };
  const partner = [...state.touches].find(([other]) => other !== id)?.[1];
  if (!partner) return { state: moved, taken: state.press?.by !== id };
  return { state: pinched(moved, before, screen, partner), taken: true };
}

export function touchUp(state: EditorState, id: number): EditorState {
  const touches = new Map(state.touches);
  touches.delete(id);
  return { ...state, touches };
}

/** The image points under both fingers stay under them. */
function pinched(state: EditorState, from: Point, to: Point, partner: Point): EditorState {
  const before = Math.hypot(from[0] - partner[0], from[1] - partner[1]);
  const after = Math.hypot(to[0] - partner[0], to[1] - partner[1]);
  const shifted = panBy(state.view.camera, (to[0] - from[0]) / 2, (to[1] - from[1]) / 2);
  const middle: Point = [(to[0] + partner[0]) / 2, (to[1] + partner[1]) / 2];
  const camera = before > 0 && after > 0 ? zoomAt(shifted, middle, after / before) : shifted;
  return { ...state, view: { ...state.view, camera } };
}
