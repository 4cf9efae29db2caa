import type { Point } from '@/lib/core/geometry';
import { MAX_COORDINATE } from '@/lib/core/mask';
import { withBrushRadius } from '../settings';
import { toolOf } from '../tools';
import { panBy, toScreen, zoomAt } from '../view/camera';
import { cancel, feedTool, imagePoint, pointInput, pressTool, takeBackPress } from './gesture';
import type { PinchInput, PointerInput, WheelInput } from './input';
import { type Click, type EditorState, followedBy, type Step, stay } from './state';

/** Two presses this near in time (ms) and place (screen pixels) are a double click. */
const DOUBLE_CLICK_TIME = 400;
const DOUBLE_CLICK_SLOP = 6;

export function reducePointer(state: EditorState, input: PointerInput): Step {
  if (!isUsable(input)) return stay(state);
  switch (input.type) {
    case 'pointer-down':
      return down({ ...state, pointerKind: input.pointer }, input);
    case 'pointer-move':
      return move(state, input);
    case 'pointer-up':
      return up(state, input);
    case 'pointer-cancel':
      return lost(state, input);
  }
}

/** Beyond the largest coordinate nothing can be kept. */
function isUsable({ x, y }: PointerInput): boolean {
  return Math.abs(x) < MAX_COORDINATE / 64 && Math.abs(y) < MAX_COORDINATE / 64;
}

function down(state: EditorState, input: PointerInput): Step {
  const screen = screenPoint(state, input);
  if (input.pointer === 'touch') {
    const touch = touchDown(state, input.pointerId, screen);
    if (touch.taken) return stay(touch.state);
    return pressAt(touch.state, input, screen);
  }
  // A palm may have touched before the pen: what it began is not meant.
  const ready = input.pointer === 'pen' ? { ...takeBackTouch(state), penSeen: true } : state;
  if (input.button === 1 || ready.held.has('hold-pan'))
    return stay({ ...ready, panning: { pointerId: input.pointerId, at: screen } });
  const takesButton = input.button === 0 || (input.button === 2 && toolOf(ready.tool).takesOpposite);
  return takesButton ? pressAt(ready, input, screen) : stay(ready);
}

function pressAt(state: EditorState, input: PointerInput, screen: Point): Step {
  if (state.press?.by === 'keyboard')
    return followedBy(cancel(state), (idle) => pressAt(idle, input, screen));
  if (state.press) return stay(state);
  const lastClick = countClick(state.lastClick, screen, input.time);
  const ready = { ...state, cursor: undefined, cursorUsed: false, lastClick };
  const point = imagePoint(ready, screen[0], screen[1], 'screen');
  const clicks = lastClick.count;
  return pressTool(
    { ...ready, pointer: point },
    input.pointerId,
    pointInput(ready, 'down', point, {
      shift: input.shift,
      opposite: input.button === 2 || input.alt === true,
      clicks,
      time: input.time,
    }),
  );
}

function countClick(last: Click | undefined, screen: Point, time: number): Click {
  const isSecond =
    last !== undefined &&
    last.count === 1 &&
    time - last.time <= DOUBLE_CLICK_TIME &&
    Math.hypot(screen[0] - last.screen[0], screen[1] - last.screen[1]) <= DOUBLE_CLICK_SLOP;
  return { time, screen, count: isSecond ? 2 : 1 };
}

function move(state: EditorState, input: PointerInput): Step {
  const screen = screenPoint(state, input);
  if (state.panning?.pointerId === input.pointerId) return stay(panTo(state, screen));
  if (input.pointer === 'touch') {
    const touch = touchMove(state, input.pointerId, screen);
    if (touch.taken) return stay(touch.state);
    if (touch.state.press?.by !== input.pointerId) return stay(touch.state);
    return moveTool(touch.state, input);
  }
  if (state.press && state.press.by !== input.pointerId) return stay(state);
  return moveTool({ ...state, cursor: undefined, cursorUsed: false }, input);
}

function moveTool(state: EditorState, input: PointerInput): Step {
  const trail = Array.from(input.trail ?? []);
  const places = [...trail, input.x, input.y];
  let step = stay(state);
  for (let i = 0; i + 1 < places.length; i += 2) {
    const [x, y] = [places[i] as number, places[i + 1] as number];
    step = followedBy(step, (now) => {
      const point = imagePoint(now, x, y, input.space ?? 'screen');
      const more = { shift: input.shift, clicks: 0, time: input.time };
      return feedTool({ ...now, pointer: point }, pointInput(now, 'move', point, more));
    });
  }
  return step;
}

function up(state: EditorState, input: PointerInput): Step {
  if (state.panning?.pointerId === input.pointerId) return stay({ ...state, panning: undefined });
  const ready = input.pointer === 'touch' ? touchUp(state, input.pointerId) : state;
  if (ready.press?.by !== input.pointerId) return stay(ready);
  const point = imagePoint(ready, input.x, input.y, input.space ?? 'screen');
  const more = { shift: input.shift, clicks: ready.lastClick?.count ?? 1, time: input.time };
  const released = { ...ready, press: undefined, lastClick: unlessDragged(ready, input) };
  return feedTool(released, pointInput(released, 'up', point, more));
}

/** What became a drag is not the first half of a double click. */
function unlessDragged(state: EditorState, input: PointerInput): Click | undefined {
  const { lastClick } = state;
  const [x, y] = screenPoint(state, input);
  if (!lastClick || Math.hypot(x - lastClick.screen[0], y - lastClick.screen[1]) > DOUBLE_CLICK_SLOP)
    return undefined;
  return lastClick;
}

function lost(state: EditorState, input: PointerInput): Step {
  const ready = input.pointer === 'touch' ? touchUp(state, input.pointerId) : state;
  const free = ready.panning?.pointerId === input.pointerId ? { ...ready, panning: undefined } : ready;
  return stay(free.press?.by === input.pointerId ? takeBackPress(free) : free);
}

function takeBackTouch(state: EditorState): EditorState {
  const { press } = state;
  return press && press.by !== 'keyboard' && state.touches.has(press.by) ? takeBackPress(state) : state;
}

function panTo(state: EditorState, screen: Point): EditorState {
  const { panning, view } = state;
  if (!panning) return state;
  const camera = panBy(view.camera, screen[0] - panning.at[0], screen[1] - panning.at[1]);
  return { ...state, view: { ...view, camera }, panning: { ...panning, at: screen } };
}

function screenPoint(state: EditorState, { x, y, space }: PointerInput): Point {
  return space === 'image' ? toScreen(state.view.camera, [x, y]) : [x, y];
}

/** `taken`: the finger pans, zooms or is a palm; the tool must not see it. */
type TouchStep = { readonly state: EditorState; readonly taken: boolean };

/** One finger draws, unless a pen is in use; a second one turns both into pan and zoom. */
function touchDown(state: EditorState, id: number, screen: Point): TouchStep {
  const touches = new Map(state.touches).set(id, screen);
  const down = { ...state, touches };
  if (touches.size === 1) return { state: down, taken: state.penSeen };
  const isDrawnByTouch = state.press && state.press.by !== 'keyboard' && state.touches.has(state.press.by);
  return { state: isDrawnByTouch ? takeBackPress(down) : down, taken: true };
}

function touchMove(state: EditorState, id: number, screen: Point): TouchStep {
  const before = state.touches.get(id);
  if (!before) return { state, taken: true };
  const moved = { ...state, touches: new Map(state.touches).set(id, screen) };
  const partner = [...state.touches].find(([other]) => other !== id)?.[1];
  if (!partner) return { state: moved, taken: state.press?.by !== id };
  return { state: pinched(moved, before, screen, partner), taken: true };
}

function touchUp(state: EditorState, id: number): EditorState {
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

/** Per wheel pixel; a notch of 100 pixels zooms by 16 %. A trackpad's pinch sends far smaller steps. */
const WHEEL_ZOOM = 0.0015;
const PINCH_ZOOM = 0.01;
/** Brush growth per wheel pixel. */
const WHEEL_BRUSH = 0.002;

/** Zooms to the cursor; with Shift it sizes the brush, or pans where there is none. */
export function reduceWheel(state: EditorState, input: WheelInput): EditorState {
  const { x, y, dx, dy } = input;
  if (![x, y, dx, dy].every(Number.isFinite)) return state;
  // Browsers turn Shift and the wheel into a sideways scroll.
  const turned = dy === 0 ? dx : dy;
  if (input.shift && (state.tool === 'brush' || state.tool === 'eraser')) {
    const radius = state.settings.brushRadius * Math.exp(-turned * WHEEL_BRUSH);
    return { ...state, settings: withBrushRadius(state.settings, radius) };
  }
  const { camera } = state.view;
  const rate = input.mod ? PINCH_ZOOM : WHEEL_ZOOM;
  const next = input.shift ? panBy(camera, -turned, 0) : zoomAt(camera, [x, y], Math.exp(-dy * rate));
  return { ...state, view: { ...state.view, camera: next } };
}

export function reducePinch(state: EditorState, { x, y, dx, dy, factor }: PinchInput): EditorState {
  if (![x, y, dx, dy].every(Number.isFinite) || !(factor > 0 && Number.isFinite(factor))) return state;
  const camera = zoomAt(panBy(state.view.camera, dx, dy), [x, y], factor);
  return { ...state, view: { ...state.view, camera } };
}
