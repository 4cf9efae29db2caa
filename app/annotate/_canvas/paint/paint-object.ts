import type { Camera } from '@/lib/core/editor';
import type { Ring } from '@/lib/core/geometry';
import { traceRing } from './trace';

/** A dashed line around the object that is asked about, on any photograph: light on dark. */
export function paintObject(context: CanvasRenderingContext2D, camera: Camera, rings: readonly Ring[]): void {
  if (rings.length === 0) return;
  context.save();
  context.translate(camera.panX, camera.panY);
  context.scale(camera.zoom, camera.zoom);
  const pixel = 1 / camera.zoom;
  context.beginPath();
  for (const ring of rings) traceRing(context, ring, pixel);
  context.lineWidth = 2.5 * pixel;
  context.strokeStyle = 'rgb(0 0 0 / 70%)';
  context.stroke();
  context.setLineDash([6 * pixel, 6 * pixel]);
  context.strokeStyle = '#ffffff';
  context.stroke();
  context.restore();
}
