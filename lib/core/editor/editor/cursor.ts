import type { Point } from '@/lib/core/geometry';
import { editorMessage } from '../messages';
import { toolOf } from '../tools';
import { panBy, toImage, toScreen } from '../view/camera';
import { feedTool, pointInput, pressTool } from './gesture';
import { announce, type EditorState, followedBy, isIdle, type Step, stay } from './state';

/** Of the cursor from the edge of the view, in screen pixels, before the view follows it. */
const MARGIN = 24;

/** Arrow keys move a cursor by image pixels, and by at least a screen pixel so that it is seen to move. */
export function moveCursor(state: EditorState, dx: number, dy: number, time: number): Step {
  const { document, view } = state;
  const step = Math.max(1, Math.round(1 / view.camera.zoom));
  const start = state.cursor ?? state.pointer ?? centre(state);
  const cursor: Point = [
    Math.min(document.width, Math.max(0, Math.round(start[0]) + dx * step)),
    Math.min(document.height, Math.max(0, Math.round(start[1]) + dy * step)),
  ];
  const moved = follow({ ...state, cursor, cursorUsed: false });
  return followedBy(stay(moved, announce(editorMessage('cursor', { x: cursor[0], y: cursor[1] }))), (now) =>
    feedTool(now, pointInput(now, 'move', cursor, { shift: false, clicks: 0, time })),
  );
}

/**
 * Enter. At the keyboard's cursor it clicks, or presses and releases for tools that drag; a second time at the same
 * place, or without a cursor, it finishes the gesture.
 */
export function confirm(state: EditorState, time: number): Step {
  const { cursor } = state;
  if (!cursor) return feedTool(state, { type: 'confirm', time });
  const more = { shift: false, clicks: 1, time };
  if (state.press?.by === 'keyboard') {
    const released = { ...state, press: undefined };
    return feedTool(released, pointInput(released, 'up', cursor, more));
  }
  const isDragTool = toolOf(state.tool).press === 'drag';
  if (!isIdle(state) && (isDragTool || state.cursorUsed)) return feedTool(state, { type: 'confirm', time });
  const down = pressTool({ ...state, cursorUsed: true }, 'keyboard', pointInput(state, 'down', cursor, more));
  if (isDragTool || !down.state.press) return down;
  return followedBy(down, (now) => {
    const released = { ...now, press: undefined };
    return feedTool(released, pointInput(released, 'up', cursor, more));
  });
}

function centre({ view }: EditorState): Point {
  return toImage(view.camera, [view.viewport.width / 2, view.viewport.height / 2]);
}

function follow(state: EditorState): EditorState {
  const { camera, viewport } = state.view;
  const [x, y] = toScreen(camera, state.cursor ?? [0, 0]);
  const dx = overshoot(x, viewport.width);
  const dy = overshoot(y, viewport.height);
  return dx === 0 && dy === 0
    ? state
    : { ...state, view: { ...state.view, camera: panBy(camera, -dx, -dy) } };
}

function overshoot(at: number, size: number): number {
  if (at < MARGIN) return at - MARGIN;
  return at > size - MARGIN ? at - (size - MARGIN) : 0;
}
