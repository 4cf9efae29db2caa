import {
  type EditorState,
  findShape,
  type Preview,
  ringsOf,
  type Size,
  shapeBounds,
  toScreen,
} from '@/lib/annotator';
import type { Point } from '@/lib/geometry';
import type { Shape } from '@/lib/mask';
import { isHeavy, traceRing } from './trace';

/** Half the side of a handle, in screen pixels. */
const HANDLE = 4;
/** Handles nearer to each other than this, in screen pixels, are left out: they could not be told apart. */
const LEAST_GAP = 7;

/** A light line around what is selected. */
export function paintSelection(
  context: CanvasRenderingContext2D,
  state: EditorState,
  previews: readonly Preview[],
): void {
  const { camera } = state.view;
  // What is being dragged is drawn as it is dragged.
  const isDragged = previews.some(({ kind }) => kind === 'moved' || kind === 'replaced');
  if (isDragged) return;
  context.save();
  context.translate(camera.panX, camera.panY);
  context.scale(camera.zoom, camera.zoom);
  context.lineJoin = 'round';
  for (const id of state.selection.shapes) {
    const shape = shownShape(state, previews, id);
    if (shape) outline(context, shape, 1 / camera.zoom);
  }
  context.restore();
}

function outline(context: CanvasRenderingContext2D, shape: Shape, pixel: number): void {
  context.beginPath();
  // Of a heavy shape the box: its outline would take seconds.
  if (isHeavy(shape)) context.rect(...shapeBounds(shape));
  else if (shape.kind === 'polygon') for (const ring of ringsOf(shape)) traceRing(context, ring, pixel);
  else if (shape.kind === 'stroke') traceRing(context, shape.points);
  context.lineWidth = 5 * pixel;
  context.strokeStyle = 'rgb(0 0 0 / 70%)';
  context.stroke();
  context.lineWidth = 2.5 * pixel;
  context.strokeStyle = '#ffffff';
  context.stroke();
}

/** Only for the one selected shape, and only what is in view: no cost per vertex of the rest. */
export function paintHandles(
  context: CanvasRenderingContext2D,
  state: EditorState,
  previews: readonly Preview[],
): void {
  const [only, ...others] = state.selection.shapes;
  if (only === undefined || others.length > 0 || state.tool !== 'vertex') return;
  const shape = shownShape(state, previews, only);
  if (shape?.kind !== 'polygon') return;
  const replaced = previews.find((preview) => preview.kind === 'replaced');
  const chosen = replaced?.vertices ?? state.selection.vertices;
  const plain: Point[] = [];
  const marked: Point[] = [];
  ringsOf(shape).forEach((ring, r) => {
    const isChosen = new Set(chosen.filter((vertex) => vertex.ring === r).map(({ index }) => index));
    let last: Point = [Number.NaN, Number.NaN];
    for (let i = 0; 2 * i + 1 < ring.length; i++) {
      const at = toScreen(state.view.camera, [ring[2 * i] as number, ring[2 * i + 1] as number]);
      if (!isNearView(at, state.view.viewport)) continue;
      const isOne = isChosen.has(i);
      if (!isOne && Math.hypot(at[0] - last[0], at[1] - last[1]) < LEAST_GAP) continue;
      (isOne ? marked : plain).push(at);
      last = at;
    }
  });
  squares(context, plain, HANDLE, ['#ffffff', '#101113']);
  squares(context, marked, HANDLE + 1, ['#2354ad', '#ffffff']);
}

function isNearView([x, y]: Point, { width, height }: Size): boolean {
  return x >= -HANDLE && y >= -HANDLE && x <= width + HANDLE && y <= height + HANDLE;
}

/** All in one path: one fill and one stroke however many there are. */
function squares(
  context: CanvasRenderingContext2D,
  places: readonly Point[],
  half: number,
  [fill, line]: readonly [string, string],
): void {
  context.beginPath();
  for (const [x, y] of places) context.rect(x - half, y - half, 2 * half, 2 * half);
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = line;
  context.stroke();
}

function shownShape(state: EditorState, previews: readonly Preview[], id: number): Shape | undefined {
  const replaced = previews.find((preview) => preview.kind === 'replaced' && preview.id === id);
  if (replaced?.kind === 'replaced') return replaced.shape;
  return findShape(state.document, id)?.drawn.shape;
}
