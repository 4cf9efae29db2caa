import type { Path } from '@/lib/geometry';
import { decodeCounts, type Shape, toRgba } from '@/lib/mask';

/** Adds a closed ring to the context's path. */
export function traceRing(context: CanvasPath, ring: Path): void {
  tracePath(context, ring);
  context.closePath();
}

export function tracePath(context: CanvasPath, points: Path): void {
  if (points.length < 2) return;
  context.moveTo(points[0] as number, points[1] as number);
  for (let i = 2; i + 1 < points.length; i += 2) context.lineTo(points[i] as number, points[i + 1] as number);
}

/** Covers what the shape covers with the context's fill style; the context is in image pixels. */
export function fillShape(context: CanvasRenderingContext2D, shape: Shape): void {
  switch (shape.kind) {
    case 'polygon':
      context.beginPath();
      traceRing(context, shape.outer);
      for (const hole of shape.holes) traceRing(context, hole);
      context.fill('evenodd');
      return;
    case 'stroke':
      fillStroke(context, shape.points, shape.radius);
      return;
    case 'bitmap':
      fillBitmap(context, shape);
  }
}

export function fillStroke(context: CanvasRenderingContext2D, points: Path, radius: number): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.lineWidth = 2 * radius;
  context.strokeStyle = context.fillStyle;
  context.beginPath();
  tracePath(context, points);
  // A click is a line of no length; Chromium draws its round caps only when there is a second point.
  if (points.length === 2) context.lineTo(points[0] as number, points[1] as number);
  context.stroke();
}

type BitmapShape = Extract<Shape, { kind: 'bitmap' }>;

/** A bitmap from an import or an assist is drawn in one colour, whatever its label. */
const bitmapColour = [255, 176, 0, 255] as const;

const bitmaps = new WeakMap<Shape, HTMLCanvasElement>();

function fillBitmap(context: CanvasRenderingContext2D, shape: BitmapShape): void {
  const canvas = bitmaps.get(shape) ?? rasterOf(shape);
  bitmaps.set(shape, canvas);
  const smoothing = context.imageSmoothingEnabled;
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, 0, 0);
  context.imageSmoothingEnabled = smoothing;
}

function rasterOf(shape: BitmapShape): HTMLCanvasElement {
  const [height, width] = shape.size;
  const data = toRgba(decodeCounts(shape.counts, height, width), bitmapColour);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.putImageData(new ImageData(data, width, height), 0, 0);
  return canvas;
}
