import type { Camera, Size } from '@/lib/core/editor';

/** Below this side, in pixels, no smaller copy is worth making. */
const SMALLEST = 1024;
/** From this zoom on pixels are shown as squares. */
const CRISP_ZOOM = 3;

/** An image and halved copies of it: a large photograph seen whole is not scaled down from its full size each frame. */
export class ImagePyramid {
  readonly #levels: ImageBitmap[];

  private constructor(levels: ImageBitmap[]) {
    this.#levels = levels;
  }

  static async of(image: ImageBitmap): Promise<ImagePyramid> {
    const levels = [image];
    for (let level = image; Math.max(level.width, level.height) > 2 * SMALLEST; ) {
      level = await createImageBitmap(level, {
        resizeWidth: Math.ceil(level.width / 2),
        resizeHeight: Math.ceil(level.height / 2),
        resizeQuality: 'medium',
      });
      levels.push(level);
    }
    return new ImagePyramid(levels);
  }

  /** The full size. */
  get image(): ImageBitmap {
    return this.#levels[0] as ImageBitmap;
  }

  /** `size` is the image in image pixels; the file may be a smaller working copy. */
  paint(context: CanvasRenderingContext2D, camera: Camera, size: Size, density: number): void {
    const wanted = size.width * camera.zoom * density;
    const level = this.#levels.findLast(({ width }) => width >= wanted) ?? this.image;
    context.imageSmoothingEnabled = camera.zoom < CRISP_ZOOM;
    context.drawImage(level, camera.panX, camera.panY, size.width * camera.zoom, size.height * camera.zoom);
  }

  close(): void {
    for (const level of this.#levels) level.close();
  }
}
