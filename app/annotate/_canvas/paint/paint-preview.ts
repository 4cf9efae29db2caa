import {
  type Camera,
  type EditorState,
  findShape,
  type Preview,
  ringsOf,
  type ShapeId,
  type Size,
  shapeMask,
  toScreen,
} from '@/lib/core/editor';
import type { Box, Path, Point } from '@/lib/core/geometry';
import type { Shape } from '@/lib/core/mask';
import { fillOf, type LabelStyle } from './label-style';
import { fillPixels, fillShape, isHeavy, tracePath, traceRing } from './trace';

const SEAM = 'rgb(0 0 0 / 60%)';
const ERASING = '#ffffff';

/** Everything of an unfinished gesture but brush strokes, which are kept as pixels. */
export function paintPreview(
  context: CanvasRenderingContext2D,
  state: EditorState,
  preview: Exclude<Preview, { kind: 'stroke' }>,
  style: LabelStyle,
): void {
  const { camera, opacity } = state.view;
  switch (preview.kind) {
    case 'outline':
      paintOutline(context, camera, preview.points, preview.next, inkOf(preview.op, style));
      if (preview.crossing) paintCrossing(context, camera, preview.crossing);
      break;
    case 'ring':
      paintRing(context, camera, preview.ring, inkOf(preview.op, style), opacity);
      break;
    case 'line':
      paintOutline(context, camera, preview.from, preview.to, inkOf('erase', style));
      break;
    case 'box':
      paintBox(context, camera, preview.box);
      break;
    case 'moved':
      paintMoved(context, state, preview.ids, [preview.dx, preview.dy], style);
      break;
    case 'replaced':
      if (isHeavy(preview.shape)) paintMovedEdges(context, camera, preview, style);
      else paintShape(context, state.document, camera, preview.shape, style, opacity);
      if (preview.crossing) paintCrossing(context, camera, preview.crossing);
      break;
    case 'suggested':
      for (const shape of preview.shapes) paintShape(context, state.document, camera, shape, style, opacity);
  }
}

/** Of a shape that takes too long to paint in every frame: the edges on both sides of the vertices that move. */
function paintMovedEdges(
  context: CanvasRenderingContext2D,
  camera: Camera,
  { shape, vertices }: Extract<Preview, { kind: 'replaced' }>,
  style: LabelStyle,
): void {
  if (shape.kind !== 'polygon') return;
  const rings = ringsOf(shape);
  inImage(context, camera, (pixel) => {
    context.beginPath();
    for (const { ring, index } of vertices) {
      const points = rings[ring];
      if (!points) continue;
      const at = (i: number): [number, number] => [points[2 * i] as number, points[2 * i + 1] as number];
      const count = points.length / 2;
      context.moveTo(...at((index + count - 1) % count));
      context.lineTo(...at(index));
      context.lineTo(...at((index + 1) % count));
    }
    strokeTwice(context, pixel, style.colour);
  });
}

export function inkOf(op: Shape['op'], style: LabelStyle): string {
  return op === 'erase' ? ERASING : style.colour;
}

/** The context in image pixels, and how wide a screen pixel is there. */
function inImage(context: CanvasRenderingContext2D, camera: Camera, paint: (pixel: number) => void): void {
  context.save();
  context.translate(camera.panX, camera.panY);
  context.scale(camera.zoom, camera.zoom);
  paint(1 / camera.zoom);
  context.restore();
}

/** A bright line in a dark seam, to be seen on any photograph. */
export function strokeTwice(context: CanvasRenderingContext2D, pixel: number, ink: string): void {
  context.lineJoin = 'round';
  context.lineWidth = 3.5 * pixel;
  context.strokeStyle = SEAM;
  context.stroke();
  context.lineWidth = 1.75 * pixel;
  context.strokeStyle = ink;
  context.stroke();
}

function paintOutline(
  context: CanvasRenderingContext2D,
  camera: Camera,
  points: Path,
  next: Path,
  ink: string,
): void {
  inImage(context, camera, (pixel) => {
    context.beginPath();
    tracePath(context, points);
    strokeTwice(context, pixel, ink);
    if (next.length === 0) return;
    context.setLineDash([5 * pixel, 4 * pixel]);
    context.beginPath();
    context.moveTo(points[points.length - 2] as number, points[points.length - 1] as number);
    for (let i = 0; i + 1 < next.length; i += 2) context.lineTo(next[i] as number, next[i + 1] as number);
    strokeTwice(context, pixel, ink);
  });
  const first = toScreen(camera, [points[0] as number, points[1] as number]);
  const last = toScreen(camera, [points[points.length - 2] as number, points[points.length - 1] as number]);
  dot(context, first, 5, ink);
  if (points.length > 2) dot(context, last, 3, ink);
}

const FAULT = '#ff3b30';

/** A red ring around the place where an outline runs across itself. */
function paintCrossing(context: CanvasRenderingContext2D, camera: Camera, at: Point): void {
  const [x, y] = toScreen(camera, at);
  context.beginPath();
  context.arc(x, y, 9, 0, 2 * Math.PI);
  strokeTwice(context, 1.5, FAULT);
}

function dot(context: CanvasRenderingContext2D, [x, y]: Point, radius: number, ink: string): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = ink;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = SEAM;
  context.stroke();
}

function paintRing(
  context: CanvasRenderingContext2D,
  camera: Camera,
  ring: Path,
  ink: string,
  opacity: number,
): void {
  inImage(context, camera, (pixel) => {
    context.beginPath();
    traceRing(context, ring);
    context.globalAlpha = opacity / 2;
    context.fillStyle = ink;
    context.fill();
    context.globalAlpha = 1;
    strokeTwice(context, pixel, ink);
  });
}

function paintShape(
  context: CanvasRenderingContext2D,
  size: Size,
  camera: Camera,
  shape: Shape,
  style: LabelStyle,
  opacity: number,
): void {
  inImage(context, camera, (pixel) => {
    context.globalAlpha = opacity;
    context.fillStyle = fillOf(style);
    if (isHeavy(shape)) fillPixels(context, shape, () => shapeMask(shape, size.height, size.width));
    else fillShape(context, shape, pixel);
    context.globalAlpha = 1;
    if (shape.kind !== 'polygon' || isHeavy(shape)) return;
    context.beginPath();
    for (const ring of [shape.outer, ...shape.holes]) traceRing(context, ring, pixel);
    strokeTwice(context, pixel, style.colour);
  });
}

function paintMoved(
  context: CanvasRenderingContext2D,
  state: EditorState,
  ids: readonly ShapeId[],
  [dx, dy]: Point,
  style: LabelStyle,
): void {
  const { camera, opacity } = state.view;
  const moved = { ...camera, panX: camera.panX + dx * camera.zoom, panY: camera.panY + dy * camera.zoom };
  for (const id of ids) {
    const shape = findShape(state.document, id)?.drawn.shape;
    if (shape) paintShape(context, state.document, moved, shape, style, opacity);
  }
}

function paintBox(context: CanvasRenderingContext2D, camera: Camera, [x, y, width, height]: Box): void {
  inImage(context, camera, (pixel) => {
    context.beginPath();
    context.rect(x, y, width, height);
    context.fillStyle = 'rgb(255 255 255 / 12%)';
    context.fill();
    strokeTwice(context, pixel, '#ffffff');
  });
}
