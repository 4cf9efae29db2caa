import type { Camera, Size } from '@/lib/annotator';
import type { Box } from '@/lib/geometry';

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

  constructor(camera: Camera, viewport: Size, density: number) {
    this.camera = camera;
    this.viewport = viewport;
    this.density = density;
    this.fills = this.#canvas();
    this.outlines = this.#canvas();
  }

  /** A further canvas of the same size and place. */
  scratch(): CanvasRenderingContext2D {
    return this.#canvas();
  }

  /** Lets a context speak image pixels. */
  place(context: CanvasRenderingContext2D): void {
    const { camera, density, viewport } = this;
    const scale = camera.zoom * density;
    const left = (camera.panX + MARGIN * viewport.width) * density;
    const top = (camera.panY + MARGIN * viewport.height) * density;
    context.setTransform(scale, 0, 0, scale, left, top);
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

  show(target: CanvasRenderingContext2D, camera: Camera, opacity: number): void {
    const scale = camera.zoom / this.camera.zoom;
    const x = camera.panX - (this.camera.panX + MARGIN * this.viewport.width) * scale;
    const y = camera.panY - (this.camera.panY + MARGIN * this.viewport.height) * scale;
    const width = (this.fills.canvas.width / this.density) * scale;
    const height = (this.fills.canvas.height / this.density) * scale;
    target.save();
    target.globalAlpha = opacity;
    if (opacity > 0) target.drawImage(this.fills.canvas, x, y, width, height);
    target.globalAlpha = 1;
    target.drawImage(this.outlines.canvas, x, y, width, height);
    target.restore();
  }

  #canvas(): CanvasRenderingContext2D {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round((1 + 2 * MARGIN) * this.viewport.width * this.density));
    canvas.height = Math.max(1, Math.round((1 + 2 * MARGIN) * this.viewport.height * this.density));
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser gives no canvas.');
    return context;
  }
}
