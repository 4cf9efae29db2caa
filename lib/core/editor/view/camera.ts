import type { Box, Point } from '@/lib/core/geometry';

/** screen = image · zoom + pan. Zoom is screen pixels per image pixel, pan is in screen pixels. */
export type Camera = { readonly zoom: number; readonly panX: number; readonly panY: number };

export type Size = { readonly height: number; readonly width: number };

/** 1/64 shows a 65,535 px side on a 1,024 px screen; at 64 a pixel is a clear square. */
export const MIN_ZOOM = 1 / 64;
export const MAX_ZOOM = 64;

/** Air around a fitted image, in screen pixels. */
const FIT_MARGIN = 16;

export const homeCamera: Camera = { zoom: 1, panX: 0, panY: 0 };

export function toImage(camera: Camera, [x, y]: Point): Point {
  return [(x - camera.panX) / camera.zoom, (y - camera.panY) / camera.zoom];
}

export function toScreen(camera: Camera, [x, y]: Point): Point {
  return [x * camera.zoom + camera.panX, y * camera.zoom + camera.panY];
}

export function panBy(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, panX: camera.panX + dx, panY: camera.panY + dy };
}

/** The image point under `at` (screen pixels) stays where it is. */
export function zoomAt(camera: Camera, at: Point, factor: number): Camera {
  const zoom = clampZoom(camera.zoom * factor);
  const [x, y] = toImage(camera, at);
  return { zoom, panX: at[0] - x * zoom, panY: at[1] - y * zoom };
}

/** The whole image, centred. */
export function fitImage(image: Size, viewport: Size): Camera {
  return fitBox([0, 0, image.width, image.height], viewport);
}

export function fitBox([x, y, width, height]: Box, viewport: Size): Camera {
  const zoom = clampZoom(
    Math.min(
      Math.max(1, viewport.width - 2 * FIT_MARGIN) / Math.max(width, 1),
      Math.max(1, viewport.height - 2 * FIT_MARGIN) / Math.max(height, 1),
    ),
  );
  return centreOn([x + width / 2, y + height / 2], zoom, viewport);
}

/** One image pixel per screen pixel, about the middle of the viewport. */
export function actualSize(camera: Camera, viewport: Size): Camera {
  return centreOn(toImage(camera, [viewport.width / 2, viewport.height / 2]), 1, viewport);
}

function centreOn([x, y]: Point, zoom: number, viewport: Size): Camera {
  return { zoom, panX: viewport.width / 2 - x * zoom, panY: viewport.height / 2 - y * zoom };
}

function clampZoom(zoom: number): number {
  return Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom));
}
