import type { Camera, Size } from '@/lib/core/editor';
import type { Box } from '@/lib/core/geometry';

/** Painted beyond each side of the view, as a share of it, so that panning finds something there. */
const MARGIN = 0.25;

/** Two canvases, painted for one camera and shown for others until they are painted anew. */
export class Buffer {
  /** Opaque, and shown with the opacity of the view: what overlaps within a label is not darker. */
  readonly fills: CanvasRenderingContext2D;
  readonly outlines: CanvasRenderingContext2D;
  readonly camera: Camera;
  readonly viewport: Size;
  readonly density: number;
  /** Of the canvases beyond the view, in whole canvas pixels. */
  readonly #marginX: number;
  readonly #marginY: number;

  constructor(camera: Camera, viewport: Size, density: number) {
    this.camera = camera;
    this.viewport = viewport;
    this.density = density;
    this.#marginX = Math.round(MARGIN * viewport.width * density);
    this.#marginY = Math.round(MARGIN * viewport.height * density);
    this.fills = this.#canvas();
    this.outlines = this.#canvas();
  }

  /** A further canvas of the same size and place. */
  scratch(): CanvasRenderingContext2D {
    return this.#canvas();
  }

  /** Lets a context speak image pixels. */
  place(context: CanvasRenderingContext2D): void {
    const { camera, density } = this;
    const scale = camera.zoom * density;
    const left = camera.panX * density + this.#marginX;
    const top = camera.panY * density + this.#marginY;
    context.setTransform(scale, 0, 0, scale, left, top);
  }

  /** The side of a canvas pixel, in image pixels. */
  get pixel(): number {
    return 1 / (this.camera.zoom * this.density);
  }

  /** What the canvases cover, in image pixels. */
  get box(): Box {
    const { camera, viewport } = this;
    return [
      (-MARGIN * viewport.width - camera.panX) / camera.zoom,
      (-MARGIN * viewport.height - camera.panY) / camera.zoom,
      ((1 + 2 * MARGIN) * viewport.width) / camera.zoom,
      ((1 + 2 * MARGIN) * viewport.height) / camera.zoom,
    ];
  }

  /** Whether a view of the same zoom lies on the canvases. */
  covers(camera: Camera): boolean {
    return (
      camera.zoom === this.camera.zoom &&
      Math.abs(camera.panX - this.camera.panX) <= MARGIN * this.viewport.width &&
      Math.abs(camera.panY - this.camera.panY) <= MARGIN * this.viewport.height
    );
  }

  /**
   * At the same zoom this is a copy of whole pixels. A scaled copy is not smoothed: without a graphics card that
   * takes four times as long (5 ms instead of 1.4 ms for a view of 1000 × 800), and it is only shown while zooming.
   */
  show(target: CanvasRenderingContext2D, camera: Camera, opacity: number): void {
    const scale = camera.zoom / this.camera.zoom;
    const left = (camera.panX - this.camera.panX * scale) * this.density - this.#marginX * scale;
    const top = (camera.panY - this.camera.panY * scale) * this.density - this.#marginY * scale;
    const { width, height } = this.fills.canvas;
    const box = [Math.round(left), Math.round(top), width * scale, height * scale] as const;
    target.save();
    target.setTransform(1, 0, 0, 1, 0, 0);
    target.imageSmoothingEnabled = false;
    target.globalAlpha = opacity;
    if (opacity > 0) target.drawImage(this.fills.canvas, ...box);
    target.globalAlpha = 1;
    target.drawImage(this.outlines.canvas, ...box);
    target.restore();
  }

  #canvas(): CanvasRenderingContext2D {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(this.viewport.width * this.density) + 2 * this.#marginX);
    canvas.height = Math.max(1, Math.round(this.viewport.height * this.density) + 2 * this.#marginY);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser gives no canvas.');
    return context;
  }
}
