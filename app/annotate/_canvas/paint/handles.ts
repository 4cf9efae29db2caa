import {
  type EditorState,
  findShape,
  insertionPoints,
  type Preview,
  ringsOf,
  type Size,
  shapeBounds,
  toScreen,
} from '@/lib/core/editor';
import type { Point } from '@/lib/core/geometry';
import type { PolygonShape, Shape } from '@/lib/core/mask';
import { isHeavy, traceRing } from './trace';

/** Half the side of a handle, in screen pixels. */
const HANDLE = 4;
/** Radius of the round handle in the middle of an edge, in screen pixels. */
const INSERTION = 3.5;
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
  const hasHandles = state.tool === 'vertex' || state.tool === 'select';
  if (only === undefined || others.length > 0 || !hasHandles) return;
  const shape = shownShape(state, previews, only);
  if (shape?.kind !== 'polygon') return;
  const isDragged = previews.some(({ kind }) => kind === 'replaced');
  const isHovered = isNear(state, shape);
  // With the selection tool a shape shows its handles where they can be used, and is plain otherwise.
  if (state.tool === 'select' && !isHovered && !isDragged) return;
  if (isHovered && !isDragged) paintInsertionPoints(context, state, shape);
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

function paintInsertionPoints(
  context: CanvasRenderingContext2D,
  state: EditorState,
  shape: PolygonShape,
): void {
  const { camera, viewport } = state.view;
  context.beginPath();
  for (const { point } of insertionPoints(shape, camera.zoom)) {
    const [x, y] = toScreen(camera, point);
    if (!isNearView([x, y], viewport)) continue;
    context.moveTo(x + INSERTION, y);
    context.arc(x, y, INSERTION, 0, 2 * Math.PI);
  }
  context.fillStyle = 'rgb(255 255 255 / 85%)';
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = 'rgb(16 17 19 / 80%)';
  context.stroke();
}

/** Whether the pointer is over the shape or within reach of it; a finger cannot hover. */
function isNear(state: EditorState, shape: Shape): boolean {
  if (state.pointerKind === 'touch') return true;
  const at = state.cursor ?? state.pointer;
  if (!at) return false;
  const reach = 12 / state.view.camera.zoom;
  const [left, top, width, height] = shapeBounds(shape);
  return (
    at[0] >= left - reach &&
    at[1] >= top - reach &&
    at[0] <= left + width + reach &&
    at[1] <= top + height + reach
  );
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
