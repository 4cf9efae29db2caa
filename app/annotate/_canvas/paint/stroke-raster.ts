import type { Camera, Size } from '@/lib/core/editor';
import type { Path } from '@/lib/core/geometry';

/** The stroke under the hand, kept as pixels: a frame paints only what the hand added since the last one. */
export class StrokeRaster {
  readonly #context: CanvasRenderingContext2D | null;
  #key = '';
  #drawn = 0;

  constructor() {
    this.#context = document.createElement('canvas').getContext('2d');
  }

  /** Paints what is new and returns the canvas, in the size of the view. */
  paint(
    points: Path,
    radius: number,
    {
      camera,
      viewport,
      density,
      colour,
    }: { camera: Camera; viewport: Size; density: number; colour: string },
  ): HTMLCanvasElement | undefined {
    const context = this.#context;
    if (!context) return undefined;
    const key = [
      camera.zoom,
      camera.panX,
      camera.panY,
      viewport.width,
      viewport.height,
      radius,
      colour,
    ].join();
    const isSameStroke = key === this.#key && points.length >= this.#drawn && this.#drawn > 0;
    if (!isSameStroke) this.#start(context, key, viewport, density);
    const scale = camera.zoom * density;
    context.setTransform(scale, 0, 0, scale, camera.panX * density, camera.panY * density);
    context.lineCap = 'round';
    context.lineJoin = 'round';
    context.lineWidth = 2 * radius;
    context.strokeStyle = colour;
    const from = Math.max(0, this.#drawn - 2);
    context.beginPath();
    context.moveTo(points[from] as number, points[from + 1] as number);
    for (let i = from; i + 1 < points.length; i += 2)
      context.lineTo(points[i] as number, points[i + 1] as number);
    context.stroke();
    this.#drawn = points.length;
    return context.canvas;
  }

  /** The stroke ended; the next one starts on a clean canvas. */
  forget(): void {
    this.#drawn = 0;
  }

  #start(context: CanvasRenderingContext2D, key: string, viewport: Size, density: number): void {
    context.canvas.width = Math.round(viewport.width * density);
    context.canvas.height = Math.round(viewport.height * density);
    this.#key = key;
    this.#drawn = 0;
  }
}
