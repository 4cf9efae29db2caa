import { type Camera, fitImage, panBy, type Size, zoomAt } from '@/lib/core/editor/view/camera';
import type { Point } from '@/lib/core/geometry';

export type Frame = { readonly image: Size; readonly viewport: Size };

/** Null shows the whole picture, and keeps doing so when the viewport changes. */
export type PictureView = Camera | null;

/** What a key or a button does. */
export const ZOOM_STEP = 1.25;
/** Screen pixels per image pixel; beyond this a pixel is a large square and shows nothing more. */
const MOST_ZOOM = 16;
/** What a double click makes of the fitted picture. */
const CLOSE_LOOK = 2.5;

export function cameraOf(view: PictureView, { image, viewport }: Frame): Camera {
  return view ? keepInView(view, { image, viewport }) : fitImage(image, viewport);
}

/** Zooms about a point of the viewport; zooming out ends at the fitted picture. */
export function zoomPicture(view: PictureView, frame: Frame, at: Point, factor: number): PictureView {
  const before = cameraOf(view, frame);
  const fitted = fitImage(frame.image, frame.viewport).zoom;
  const zoom = Math.min(before.zoom * factor, Math.max(MOST_ZOOM, fitted));
  if (zoom <= fitted) return null;
  return keepInView(zoomAt(before, at, zoom / before.zoom), frame);
}

export function panPicture(view: PictureView, frame: Frame, dx: number, dy: number): PictureView {
  return view && keepInView(panBy(cameraOf(view, frame), dx, dy), frame);
}

export function toggleCloseLook(view: PictureView, frame: Frame, at: Point): PictureView {
  return view ? null : zoomPicture(view, frame, at, CLOSE_LOOK);
}

/** Two fingers: what was between them stays between them. */
export function pinchPicture(
  view: PictureView,
  frame: Frame,
  before: readonly [Point, Point],
  after: readonly [Point, Point],
): PictureView {
  const from = middle(before);
  const to = middle(after);
  // Fingers that touch would zoom without end.
  const factor = Math.max(spread(after), 1) / Math.max(spread(before), 1);
  return panPicture(zoomPicture(view, frame, from, factor), frame, to[0] - from[0], to[1] - from[1]);
}

/** A picture larger than the viewport covers it; a smaller one stands in the middle. */
function keepInView(camera: Camera, { image, viewport }: Frame): Camera {
  return {
    zoom: camera.zoom,
    panX: keepAxis(camera.panX, image.width * camera.zoom, viewport.width),
    panY: keepAxis(camera.panY, image.height * camera.zoom, viewport.height),
  };
}

function keepAxis(pan: number, picture: number, viewport: number): number {
  if (picture <= viewport) return (viewport - picture) / 2;
  return Math.min(0, Math.max(viewport - picture, pan));
}

const middle = ([a, b]: readonly [Point, Point]): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
const spread = ([a, b]: readonly [Point, Point]): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
