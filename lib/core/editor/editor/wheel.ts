import { withBrushRadius } from '../settings';
import { panBy, zoomAt } from '../view/camera';
import type { PinchInput, WheelInput } from './input';
import type { EditorState } from './state';

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
