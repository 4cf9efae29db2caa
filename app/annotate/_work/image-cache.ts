import { ImagePyramid } from '../_canvas/paint/image-pyramid';

export class UndecodableImage extends Error {}

/** Decoded images take four bytes a pixel; four are the one before, the current one and the next two. */
const KEPT = 4;

/** Loads and decodes images, keeps the last few, and closes what falls out. */
export class ImageCache {
  readonly #images = new Map<string, Promise<ImagePyramid>>();
  readonly #ready = new Map<string, ImagePyramid>();

  load(key: string, url: string): Promise<ImagePyramid> {
    const loading = this.#images.get(key) ?? decode(url);
    // Again as the newest.
    this.#images.delete(key);
    this.#images.set(key, loading);
    loading.then(
      (image) => this.#images.get(key) === loading && this.#ready.set(key, image),
      () => this.#images.delete(key),
    );
    this.#trim();
    return loading;
  }

  /** The image if it is there already: an item that was loaded ahead opens without waiting. */
  ready(key: string): ImagePyramid | undefined {
    return this.#ready.get(key);
  }

  dispose(): void {
    for (const key of [...this.#images.keys()]) this.#drop(key);
  }

  #trim(): void {
    for (const key of [...this.#images.keys()].slice(0, -KEPT)) this.#drop(key);
  }

  #drop(key: string): void {
    this.#images.get(key)?.then(
      (image) => image.close(),
      () => undefined,
    );
    this.#images.delete(key);
    this.#ready.delete(key);
  }
}

async function decode(url: string): Promise<ImagePyramid> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The image could not be loaded (${response.status}).`);
  const file = await response.blob();
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new UndecodableImage('The image cannot be decoded.');
  });
  return ImagePyramid.of(bitmap);
}
