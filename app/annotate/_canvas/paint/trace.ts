import { vertexCount } from '@/lib/core/editor';
import type { Path } from '@/lib/core/geometry';
import { decodeCounts, type Mask, type Shape, toRgba } from '@/lib/core/mask';

/** Of a step that nobody sees, in canvas pixels. */
const UNSEEN = 0.35;

/**
 * Adds a closed ring to the context's path. `pixel` is the size of a canvas pixel in the ring's units: vertices
 * that lie closer together than can be seen are passed over, so that a ring of a hundred thousand costs what it shows.
 */
export function traceRing(context: CanvasPath, ring: Path, pixel = 0): void {
  const least = UNSEEN * pixel;
  let [lastX, lastY] = [ring[0] as number, ring[1] as number];
  context.moveTo(lastX, lastY);
  for (let i = 2; i + 1 < ring.length; i += 2) {
    const [x, y] = [ring[i] as number, ring[i + 1] as number];
    if (Math.abs(x - lastX) < least && Math.abs(y - lastY) < least) continue;
    context.lineTo(x, y);
    [lastX, lastY] = [x, y];
  }
  context.closePath();
}

export function tracePath(context: CanvasPath, points: Path): void {
  if (points.length < 2) return;
  context.moveTo(points[0] as number, points[1] as number);
  for (let i = 2; i + 1 < points.length; i += 2) context.lineTo(points[i] as number, points[i + 1] as number);
}

/** From so many vertices on a polygon is painted from its pixels: a browser takes seconds for a path like that. */
const HEAVY = 20_000;

export function isHeavy(shape: Shape): boolean {
  return shape.kind === 'polygon' && vertexCount(shape) > HEAVY;
}

/** Covers what the shape covers with the context's fill style; the context is in image pixels. */
export function fillShape(context: CanvasRenderingContext2D, shape: Shape, pixel = 0): void {
  switch (shape.kind) {
    case 'polygon':
      context.beginPath();
      traceRing(context, shape.outer, pixel);
      for (const hole of shape.holes) traceRing(context, hole, pixel);
      context.fill('evenodd');
      return;
    case 'stroke':
      fillStroke(context, shape.points, shape.radius);
      return;
    case 'bitmap':
      fillPixels(context, shape, () => decodeCounts(shape.counts, shape.size[0], shape.size[1]));
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

/** An area that is painted from its pixels is drawn in one colour, whatever its label. */
const pixelColour = [255, 176, 0, 255] as const;

const rasters = new WeakMap<Shape, HTMLCanvasElement>();

/** Covers the pixels of the shape's mask; the canvas with them is made once. */
export function fillPixels(context: CanvasRenderingContext2D, shape: Shape, maskOf: () => Mask): void {
  const canvas = rasters.get(shape) ?? rasterOf(maskOf());
  rasters.set(shape, canvas);
  const smoothing = context.imageSmoothingEnabled;
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, 0, 0);
  context.imageSmoothingEnabled = smoothing;
}

function rasterOf(mask: Mask): HTMLCanvasElement {
  const { height, width } = mask;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.putImageData(new ImageData(toRgba(mask, pixelColour), width, height), 0, 0);
  return canvas;
}
