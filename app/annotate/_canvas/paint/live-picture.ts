import { type EditorState, type Preview, toScreen } from '@/lib/core/editor';
import { paintHandles, paintSelection } from './handles';
import type { LabelStyle } from './label-style';
import { inkOf, paintPreview, strokeTwice } from './paint-preview';
import { StrokeRaster } from './stroke-raster';

/** What is under the hand: the unfinished gesture, the selection and its handles, cursor and brush. */
export class LivePicture {
  readonly #stroke = new StrokeRaster();

  paint(
    context: CanvasRenderingContext2D,
    state: EditorState,
    previews: readonly Preview[],
    style: LabelStyle,
    density: number,
  ): void {
    context.save();
    const isPainting = previews.some(({ kind }) => kind === 'stroke');
    if (!isPainting) this.#stroke.forget();
    if (!state.view.showBefore) paintSelection(context, state, previews);
    for (const preview of previews) this.#preview(context, state, preview, style, density);
    if (!state.view.showBefore) paintHandles(context, state, previews);
    paintBrush(context, state, style);
    paintCrosshair(context, state);
    paintCursor(context, state);
    context.restore();
  }

  #preview(
    context: CanvasRenderingContext2D,
    state: EditorState,
    preview: Preview,
    style: LabelStyle,
    density: number,
  ): void {
    const { camera, viewport, opacity } = state.view;
    if (preview.kind !== 'stroke') {
      paintPreview(context, state, preview, style);
      return;
    }
    const { points, radius } = preview;
    const colour = inkOf(preview.op, style);
    const canvas = this.#stroke.paint(points, radius, { camera, viewport, density, colour });
    if (!canvas) return;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = Math.max(FAINTEST, opacity);
    context.drawImage(canvas, 0, 0);
    context.restore();
  }
}

/** A stroke must be seen while it is painted, however faint the fill is. */
const FAINTEST = 0.35;

function paintBrush(context: CanvasRenderingContext2D, state: EditorState, style: LabelStyle): void {
  const at = state.cursor ?? state.pointer;
  if (!at || (state.tool !== 'brush' && state.tool !== 'eraser') || state.panning) return;
  const [x, y] = toScreen(state.view.camera, at);
  context.beginPath();
  context.arc(x, y, state.settings.brushRadius * state.view.camera.zoom, 0, 2 * Math.PI);
  strokeTwice(context, 1, inkOf(state.tool === 'eraser' ? 'erase' : 'add', style));
}

function paintCrosshair(context: CanvasRenderingContext2D, state: EditorState): void {
  const at = state.cursor ?? state.pointer;
  if (!state.view.crosshair || !at) return;
  const { camera, viewport } = state.view;
  const [x, y] = toScreen(camera, at);
  context.beginPath();
  context.moveTo(0, Math.round(y) + 0.5);
  context.lineTo(viewport.width, Math.round(y) + 0.5);
  context.moveTo(Math.round(x) + 0.5, 0);
  context.lineTo(Math.round(x) + 0.5, viewport.height);
  context.lineWidth = 1;
  context.strokeStyle = 'rgb(255 255 255 / 80%)';
  context.stroke();
  context.setLineDash([4, 4]);
  context.strokeStyle = 'rgb(0 0 0 / 80%)';
  context.stroke();
  context.setLineDash([]);
}

/** The keyboard's cursor. */
function paintCursor(context: CanvasRenderingContext2D, state: EditorState): void {
  if (!state.cursor) return;
  const [x, y] = toScreen(state.view.camera, state.cursor);
  context.beginPath();
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    context.moveTo(x + 3 * dx, y + 3 * dy);
    context.lineTo(x + 14 * dx, y + 14 * dy);
  }
  strokeTwice(context, 1.25, '#ffffff');
}
